"""Print the folder for `lm_eval --include_path`."""

from scoref.integrations.lm_eval import TASKS

print(TASKS)  # noqa: T201
