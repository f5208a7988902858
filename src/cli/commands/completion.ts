import { EXIT } from '../exit-codes.ts';
import type { Io } from '../io.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

/** `completion SHELL`: prints what makes that shell complete our commands. Each asks `secondwind complete`, so it never grows old. */
export function completion(io: Io, shell: Shell): number {
  io.terminal.out(SCRIPTS[shell]);
  return EXIT.done;
}

// bash 3.2, which macOS has, knows neither `compopt` nor `mapfile`.
const BASH = `# secondwind, completed by bash.  In ~/.bashrc:  eval "$(secondwind completion bash)"
_secondwind() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line kind=
  [[ $current == = ]] && current=
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) kind=-f ;;
      :dirs) kind=-d ;;
      ?*) COMPREPLY+=("\${line%%$'\\t'*}") ;;
    esac
  done < <("$1" complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  [[ -z $kind ]] && return
  compopt -o filenames 2>/dev/null
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen $kind -- "$current")
}
complete -F _secondwind secondwind
`;

const ZSH = `#compdef secondwind
# secondwind, completed by zsh.  In ~/.zshrc, after compinit:  eval "$(secondwind completion zsh)"
_secondwind() {
  local line
  local -a lines offered
  lines=("\${(@f)$("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  case $lines[1] in
    :files) _files; return ;;
    :dirs) _files -/; return ;;
  esac
  for line in $lines; do
    case $line in
      *$'\\t'*) offered+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
      ?*) offered+=("\${line//:/\\\\:}") ;;
    esac
  done
  _describe -V secondwind offered
}
if [[ $funcstack[1] == _secondwind ]]; then
  _secondwind "$@"
else
  compdef _secondwind secondwind
fi
`;

const FISH = `# secondwind, completed by fish.  In ~/.config/fish/config.fish:  secondwind completion fish | source
function __secondwind_complete
    set -l current (commandline -ct)
    set -l words (commandline -opc)
    set -l lines ($words[1] complete -- $words[2..-1] "$current" 2>/dev/null)
    switch "$lines[1]"
        case :files
            __fish_complete_path "$current"
        case :dirs
            __fish_complete_directories "$current"
        case '*'
            printf '%s\\n' $lines
    end
end
complete -c secondwind -f -k -a '(__secondwind_complete)'
`;

const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
