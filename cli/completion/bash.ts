import type { CompletionTable } from './table.ts';
import { shTables } from './table.ts';

/** Works with bash 3.2, the version of macOS, and newer. */
export const bashScript = (
  table: CompletionTable,
): string => `# Completion of ohmstead for bash. In ~/.bashrc: source <(ohmstead completion bash)

${shTables(table)}
_ohmstead() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]}
  local path='' position=0 i word list
  # Readline breaks --option=value into three words.
  [[ $current == '=' ]] && current=''
  [[ $previous == '=' ]] && previous=\${COMP_WORDS[COMP_CWORD - 2]}
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == -* ]]; then
      [[ " $(_ohmstead_options "$path") " == *" $word= "* ]] || continue
      [[ \${COMP_WORDS[i + 1]} == '=' ]] && i=$((i + 1))
      i=$((i + 1))
    elif [[ $position == 0 && " $(_ohmstead_words "$path") " == *" $word "* ]]; then
      path="\${path:+$path }$word"
    else
      position=$((position + 1))
    fi
  done
  if [[ " $(_ohmstead_options "$path") " == *" $previous= "* ]]; then
    list=$(_ohmstead_values "$path $previous")
  elif [[ $current == -* ]]; then
    list=$(_ohmstead_options "$path")
    list=\${list//=/}
  else
    [[ $position == 0 ]] && list=$(_ohmstead_words "$path")
    list="$list $(_ohmstead_values "$path $((position + 1))")"
  fi
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
