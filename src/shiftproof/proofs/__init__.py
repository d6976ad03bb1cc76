"""Certificates of the gallery, and the papers' claims checked by machine."""
