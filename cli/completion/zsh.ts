import { type CompletionTable, shFunctions } from './table.ts';

export const zshScript = (table: CompletionTable): string => `#compdef ohmstead
# Completion of ohmstead for zsh. In ~/.zshrc, after compinit: source <(ohmstead completion zsh)

${shFunctions(table)}
_ohmstead() {
  local current=\${words[CURRENT]} previous=\${words[CURRENT-1]} list
  if [[ $current == --*=* ]]; then
    previous=\${current%%=*}
    compset -P '*='
  fi
  list=$(_ohmstead_offers "$current" "$previous" "\${(@)words[2,CURRENT-1]}")
  if [[ $list == *@files* ]]; then
    _files
  else
    compadd -- \${=list}
  fi
}

if [[ \${funcstack[1]} == _ohmstead ]]; then
  _ohmstead "$@"
else
  compdef _ohmstead ohmstead
fi
`;
