import { templateError } from './template-error.js'

/** A template as it is written: literals with a slot between each two. */
export interface Written {
  readonly literals: readonly string[]
  readonly names: readonly string[]
}

const TOKEN = /\{\{|\}\}|\{([^{}]+)\}|[{}]|[^{}]+/g

/** Reads `MOVIE#{name}`; a brace that is not of a slot is written twice. */
export function parseTemplate(source: string): Written {
  const literals = ['']
  const names: string[] = []
  for (const [token, name] of source.matchAll(TOKEN)) {
    if (name !== undefined) {
      names.push(name)
      literals.push('')
    } else if (token === '{' || token === '}')
      throw malformed(source, 'has a brace without its other: write "{{" or "}}" for a brace in the key.')
    else literals.push(literals.pop() + (token === '{{' ? '{' : token === '}}' ? '}' : token))
  }
  if (source === '') throw malformed(source, 'is empty, which a key cannot be.')
  // Nothing is after the last character, where the range of what begins with it would end.
  if (/[\p{Cs}\u{10ffff}]/u.test(source)) throw malformed(source, 'has half a surrogate pair, or U+10FFFF.')
  return { literals, names }
}

const malformed = (source: string, fault: string) => templateError('key.template', source, undefined, fault)
