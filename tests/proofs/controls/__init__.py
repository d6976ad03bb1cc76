"""Constants that must turn findings around.

``CONTROLS`` of each module lists checks with other constants than those of their statement: the
finding must then be the opposite.  So every check that holds is seen to be able to fail, and
every one that fails to be able to hold.
"""
