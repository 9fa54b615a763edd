"""Print a script that completes commands, options and values in a shell.

The script has all options of this version, and must be made again after an update.

Example commands:
  scoref completion bash > ~/.local/share/bash-completion/completions/scoref
  scoref completion zsh > ~/.zfunc/_scoref
  scoref completion fish > ~/.config/fish/completions/scoref.fish
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoref.cli.command import Arguments, Command, Option
from scoref.cli.description import DescribedCommand, DescribedOption, describe_commands

COMMAND = Command(__doc__, Option("bash|zsh|fish", "the shell", dest="shell", metavar="SHELL"))


def run(arguments: Arguments) -> int:
    """Print the script."""
    write = {"bash": _bash, "zsh": _zsh, "fish": _fish}[arguments.shell]
    print("\n".join(write(describe_commands())))
    return 0


def _bash(commands: Sequence[DescribedCommand]) -> Iterator[str]:
    yield "# bash completion of scoref, made by `scoref completion bash`"
    yield "_scoref() {"
    yield '    local cur="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"'
    yield "    local known="
    yield "    COMPREPLY=()"
    yield '    if [ "$COMP_CWORD" -eq 1 ]; then'
    yield f'        known="{" ".join(one.name for one in commands)} --help --version"'
    yield '    else case "${COMP_WORDS[1]} $previous" in'
    for command in commands:
        for option in command.flags:
            if option.values:
                cases = "|".join(f'"{command.name} {name}"' for name in option.names)
                yield f'        {cases}) known="{" ".join(option.values)}" ;;'
            elif option.value:  # a value that is a file, or unknown
                cases = "|".join(f'"{command.name} {name}"' for name in option.names)
                yield f"        {cases}) return ;;"
    for command in commands:
        flags = " ".join(name for option in command.flags for name in option.names)
        values = " ".join(v for option in _arguments(command) for v in option.values)
        yield f'        "{command.name} "*) case "$cur" in'
        yield f'            -*) known="{flags}" ;;'
        yield f'            *) known="{values}" ;;' if values else "            *) return ;;"
        yield "        esac ;;"
    yield "    esac; fi"
    yield '    [ -z "$known" ] || COMPREPLY=($(compgen -W "$known" -- "$cur"))'
    yield "}"
    yield "# Without a suggestion, names of files are completed."
    yield "complete -o default -o bashdefault -F _scoref scoref"


def _arguments(command: DescribedCommand) -> list[DescribedOption]:
    """Return the arguments that are not flags."""
    return [one for group in command.groups.values() for one in group if not one.is_flag]


def _zsh(commands: Sequence[DescribedCommand]) -> Iterator[str]:
    yield "#compdef scoref"
    yield "# zsh completion of scoref, made by `scoref completion zsh`"
    yield "_scoref() {"
    yield "    local -a commands"
    yield "    commands=("
    for command in commands:
        yield f"        {_quoted(f'{command.name}:{command.summary}')}"
    yield "    )"
    yield "    if (( CURRENT == 2 )); then"
    yield "        _describe command commands"
    yield "        return"
    yield "    fi"
    yield "    shift words"
    yield "    (( CURRENT-- ))"
    yield "    case $words[1] in"
    for command in commands:
        yield f"        {command.name})"
        yield "            _arguments -S \\"
        for option in command.flags:
            for name in option.names:
                yield f"                {_quoted(_zsh_flag(name, option))} \\"
        values = [value for option in _arguments(command) for value in option.values]
        if values:
            listed = " ".join(values)
            yield f"                {_quoted(f'1:value:({listed})')} \\"
        yield "                '*:file:_files' ;;"
    yield "    esac"
    yield "}"
    yield 'if [ "$funcstack[1]" = _scoref ]; then _scoref "$@"; else compdef _scoref scoref; fi'


def _zsh_flag(name: str, option: DescribedOption) -> str:
    text = option.brief.replace("[", "").replace("]", "")
    if not option.value:
        return f"*{name}[{text}]"
    values = f"({' '.join(option.values)})" if option.values else "_files"
    return f"*{name}[{text}]:value:{values}"


def _fish(commands: Sequence[DescribedCommand]) -> Iterator[str]:
    yield "# fish completion of scoref, made by `scoref completion fish`"
    for command in commands:
        summary = _quoted(command.summary)
        yield f"complete -c scoref -n __fish_use_subcommand -f -a {command.name} -d {summary}"
    for command in commands:
        seen = f"complete -c scoref -n '__fish_seen_subcommand_from {command.name}'"
        for option in command.flags:
            names = " ".join(
                f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}"
                for name in option.names
            )
            takes = ""
            if option.value:
                takes = f" -x -a {_quoted(' '.join(option.values))}" if option.values else " -r"
            yield f"{seen} {names}{takes} -d {_quoted(option.brief)}"
        for argument in _arguments(command):
            if argument.values:
                yield f"{seen} -f -a {_quoted(' '.join(argument.values))}"


def _quoted(text: str) -> str:
    """Quote a text for a shell, on one line."""
    one_line = " ".join(text.split())
    return "'" + one_line.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}") + "'"
