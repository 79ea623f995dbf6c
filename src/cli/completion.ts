import { UsageError, type Command, type Commands, type Option } from './command';

type Options = Readonly<Record<string, Option>>;

/** A script that completes commands, options and choices; all of it is known beforehand, so nothing is run to ask. */
export function completionScript(shell: string, commands: Commands, common: Options): string {
  const write = new Map([
    ['bash', bash],
    ['zsh', zsh],
    ['fish', fish],
  ]).get(shell);
  if (!write) throw new UsageError('Usage: learnings completion bash|zsh|fish');
  return write(commands, common);
}

const optionsOf = (command: Command, common: Options): string[] =>
  Object.keys({ ...command.options, ...common }).map((name) => `--${name}`);

function bash(commands: Commands, common: Options): string {
  const cases = Object.entries(commands).map(
    ([name, command]) =>
      `    ${name}) COMPREPLY=($(compgen -W "${optionsOf(command, common).join(' ')}" -- "$word")) ;;`,
  );
  return `_learnings() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${Object.keys(commands).join(' ')}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
}
complete -o default -F _learnings learnings`;
}

function zsh(commands: Commands, common: Options): string {
  const cases = Object.entries(commands).map(
    ([name, command]) => `    ${name}) compadd -- ${optionsOf(command, common).join(' ')}; _files ;;`,
  );
  return `#compdef learnings
_learnings() {
  if (( CURRENT == 2 )); then
    compadd -- ${Object.keys(commands).join(' ')}
    return
  fi
  case "\${words[2]}" in
${cases.join('\n')}
  esac
}
compdef _learnings learnings`;
}

function fish(commands: Commands, common: Options): string {
  const lines = Object.entries(commands).flatMap(([name, command]) => [
    `complete -c learnings -n __fish_use_subcommand -f -a ${name} -d '${command.summary.replaceAll("'", '')}'`,
    ...optionsOf(command, common).map(
      (option) => `complete -c learnings -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`,
    ),
  ]);
  return lines.join('\n');
}
