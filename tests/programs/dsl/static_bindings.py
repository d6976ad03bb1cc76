"""Ways to bind LEVEL at the top level of a module, before and after the mechanism that reads it.

Each is (before, after).  What is READ must be what executing the file gives; of what is UNREAD
only executing it would tell.
"""

from __future__ import annotations

READ = {
    "an int": ("LEVEL = 2", ""),
    "a negative float": ("LEVEL = -0.25", ""),
    "a string": ("LEVEL = 'low'", ""),
    "nothing": ("LEVEL = None", ""),
    "a Boolean": ("LEVEL = True", ""),
    "arithmetic": ("A = 3\nLEVEL = (A * 2 - 1) / 4 + A // 2 % 2", ""),
    "bound again later": ("LEVEL = 1", "LEVEL = 5"),
    "bound later only": ("", "LEVEL = 5"),
    "annotated": ("from typing import Final\nLEVEL: Final = 3", ""),
    "several at once": ("A, (LEVEL, B) = 1, (2, 3)", ""),
    "chained": ("A = LEVEL = 4", ""),
    "augmented": ("LEVEL = 4\nLEVEL += 2", "LEVEL *= 3"),
    "deleted and bound again": ("LEVEL = 4\ndel LEVEL", "LEVEL = 6"),
    "an alias": ("A = 3\nLEVEL = A\nA = 4", ""),
    "of a tuple": ("LEVELS = (1, 2, 3)\nLEVEL = LEVELS[1]", ""),
    "of a dictionary": ("LEVELS = {'low': 1, 'high': 2}\nLEVEL = LEVELS['high']", ""),
    "from math": ("from math import pi as LEVEL", ""),
    "by math": ("import math\nLEVEL = math.sqrt(2) + math.e", ""),
    "in a true branch": ("if True:\n    LEVEL = 1\nelse:\n    LEVEL = 2", ""),
    "not as the main program": ("LEVEL = 1", "if __name__ == '__main__':\n    OTHER = 2"),
    "for type checkers": (
        "from typing import TYPE_CHECKING\nLEVEL = 1\nif TYPE_CHECKING:\n    LEVEL = 2",
        "import typing\nif not typing.TYPE_CHECKING:\n    LEVEL = 3",
    ),
    "under conditions elsewhere": ("LEVEL = 1\ntry:\n    OTHER = 1\nexcept OSError:\n    pass", ""),
    "beside harmless calls": ("import logging\nlogging.getLogger('x').debug('y')\nLEVEL = 1", ""),
    "beside a class": (
        "LEVEL = 1\nclass A:\n    LEVEL = 2\n    def f(self):\n        self.x = 1",
        "",
    ),
    "beside a comprehension": ("LEVEL = 1\nnames = [LEVEL for LEVEL in 'ab']", ""),
    "a function's own variable": ("LEVEL = 1\ndef f():\n    LEVEL = 2\n    return LEVEL", "f()"),
}

UNREAD = {
    "as the main program": ("LEVEL = 1", "if __name__ == '__main__':\n    LEVEL = 2"),
    "if imported": ("if __name__ != '__main__':\n    LEVEL = 3\nelse:\n    LEVEL = 4", ""),
    "computed": ("import random\nLEVEL = random.randint(1, 1)", ""),
    "by a function": ("def level():\n    return 2\nLEVEL = level()", ""),
    "by a lambda": ("LEVEL = (lambda: 2)()", ""),
    "in a try block": ("try:\n    LEVEL = 1\nexcept OSError:\n    LEVEL = 2", ""),
    "in a loop": ("for LEVEL in range(3):\n    pass", ""),
    "in a while loop": ("LEVEL = 0\nwhile LEVEL < 3:\n    LEVEL += 1", ""),
    "under a condition": ("import sys\nLEVEL = 1\nif sys.argv:\n    LEVEL = 2", ""),
    "by the platform": ("import sys\nLEVEL = 1 if sys.platform else 2", ""),
    "by a with block": ("import io\nwith io.StringIO() as LEVEL:\n    LEVEL = 3", ""),
    "by a match": ("match 3:\n    case LEVEL:\n        pass", ""),
    "by a walrus": ("LEVEL = 1\nprint((LEVEL := 2), file=None) if False else None", ""),
    "by a walrus in a default": ("LEVEL = 1\ndef f(a=(LEVEL := 2)):\n    pass", ""),
    "by a walrus in an annotation": ("LEVEL = 1\ndef f(a: (LEVEL := 2)):\n    pass", ""),
    "by a walrus in a decorator": (
        "LEVEL = 1\ndef d(f):\n    return f\n@((LEVEL := 2) and d)\ndef f(): pass",
        "",
    ),
    "by a walrus in an element": ("LEVEL = 1\nA = [(LEVEL := 2)]", ""),
    "by a walrus in a comprehension": ("LEVEL = 1\nA = [LEVEL := x for x in (1, 2)]", ""),
    "by a walrus in a base class": ("LEVEL = 1\nclass A((LEVEL := 2) and object): pass", ""),
    "by a global function": ("LEVEL = 1\ndef f():\n    global LEVEL\n    LEVEL = 2", "f()"),
    "by a global class": ("LEVEL = 1\nclass A:\n    global LEVEL\n    LEVEL = 2", ""),
    "by globals()": ("LEVEL = 1\nglobals()['LEVEL'] = 2", ""),
    "by globals() in a function": ("LEVEL = 1\ndef f():\n    globals()['LEVEL'] = 2", "f()"),
    "by globals() under a decorator": (
        "LEVEL = 1\ndef d(f):\n    globals()['LEVEL'] = 2\n    return f\n@d\ndef g(): pass",
        "",
    ),
    "by globals() in a lambda": ("LEVEL = 1\nf = lambda: globals().update(LEVEL=2)", "f()"),
    "by vars()": ("LEVEL = 1\nvars().update(LEVEL=2)", ""),
    "by exec": ("LEVEL = 1\nexec('LEVEL = 2')", ""),
    "by another name of exec": ("LEVEL = 1\nrun = exec\nrun('LEVEL = 2')", ""),
    "by setattr": ("import sys\nLEVEL = 1\nsetattr(sys.modules[__name__], 'LEVEL', 2)", ""),
    "by the module's attribute": ("import sys\nLEVEL = 1\nsys.modules[__name__].LEVEL = 2", ""),
    "by a class's body": ("LEVEL = 1\nclass A:\n    globals()['LEVEL'] = 2", ""),
    "by a metaclass": (
        "LEVEL = 1\nclass M(type):\n    def __init__(self, *a):\n        globals()['LEVEL'] = 2\n"
        "class A(metaclass=M): pass",
        "",
    ),
    "by an unknown star import": ("LEVEL = 1\nfrom random import *", ""),
    "by an import": ("LEVEL = 1\nimport random as LEVEL", ""),
    "by an exception's name": (
        "LEVEL = 1\ntry:\n    {}[1]\nexcept KeyError as LEVEL:\n    pass",
        "",
    ),
    "by an asynchronous function": ("LEVEL = 1", "async def LEVEL(): pass"),
    "by a class": ("LEVEL = 1", "class LEVEL: pass"),
    "in a list that is changed": ("A = [1]\nB = A\nB.append(2)\nLEVEL = A[0]", ""),
    "in a list that is stored into": ("A = [1]\nA[0] = 2\nLEVEL = A[0]", ""),
    "in a list of a list": ("A = [1]\nB = (A, 3)\nB[0].append(2)\nLEVEL = A[0]", ""),
    "in a list that a function changes": ("A = [1]\ndef f():\n    A[0] = 2\nf()\nLEVEL = A[0]", ""),
    "in a list that is augmented": ("A = [1]\nB = A\nB += [2]\nLEVEL = A[0]", ""),
    "starred": ("LEVEL, *B = 1, 2", ""),
    "by unpacking what is unknown": ("LEVEL, B = map(int, '12')", ""),
    "too large": ("A = 10 ** 9\nLEVEL = 1", "LEVEL = A"),
    "by deleting": ("LEVEL = 1", "import sys\nif sys.argv:\n    del LEVEL"),
}
