"""The process that runs a mechanism's text as Python; of the library it imports nothing.

Only the standard library is used, so that nothing here shares a mistake with what it checks:
the meaning of the words of the language, the distributions and the cost of moved noise are
written down a second time.
"""
