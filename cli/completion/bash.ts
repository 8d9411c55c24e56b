import { type CompletionTable, shFunctions } from './table.ts';

/** Works with bash 3.2, the version of macOS, and newer. */
export const bashScript = (
  table: CompletionTable,
): string => `# Completion of ohmstead for bash. In ~/.bashrc: source <(ohmstead completion bash)

${shFunctions(table)}
_ohmstead() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} list
  # Readline breaks --option=value into three words.
  [[ $current == '=' ]] && current=''
  [[ $previous == '=' ]] && previous=\${COMP_WORDS[COMP_CWORD - 2]}
  list=$(_ohmstead_offers "$current" "$previous" "\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  if [[ $list == *@files* ]]; then
    local IFS=$'\\n'
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$current"))
  else
    COMPREPLY=($(compgen -W "$list" -- "$current"))
  fi
}

complete -F _ohmstead ohmstead
`;
