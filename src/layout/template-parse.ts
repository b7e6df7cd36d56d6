import { templateError } from './template-error.js'

/** A template as it is written: literals with a slot between each two. */
export interface Written {
  readonly literals: readonly string[]
  readonly names: readonly string[]
}

const TOKEN = /\{([^{}]+)\}|([{}])\2|([{}])|[^{}]+/g

/**
 * Reads `MOVIE#{name}`; a brace that is not of a slot is written twice. Token by token: literals that are cut out of a
 * text with a mark for each slot take two bytes a character where the mark does, and so does every key made with them.
 */
export function parseTemplate(source: string): Written {
  const literals = ['']
  const names: string[] = []
  // Nothing is after U+10FFFF, where the range of what begins with it would end.
  let fault = source === '' || /[\p{Cs}\u{10ffff}]/u.test(source)
  for (const [token, name, twice, single] of source.matchAll(TOKEN))
    if (name !== undefined) {
      names.push(name)
      literals.push('')
    } else {
      fault ||= single !== undefined
      literals.push(`${literals.pop()}${twice ?? token}`)
    }
  if (!fault) return { literals, names }
  throw templateError(
    'key.template',
    { source },
    'is empty, or has a brace not doubled, half a surrogate pair or U+10FFFF.',
  )
}
