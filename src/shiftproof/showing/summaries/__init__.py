"""Many runs in little memory: each block is summarised where it is made, and all put together.

They are put together in the order of the blocks, so a summary is the same bit for bit whoever
made the blocks.
"""
