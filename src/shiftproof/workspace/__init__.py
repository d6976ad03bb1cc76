"""What users name and keep: targets, modules, files, caches, executors."""
