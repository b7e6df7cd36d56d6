import { createTemplateError, type NamedTemplate } from './template-error.js'

/** A template as it is written: literals with a slot between each two. */
export interface TemplateTokens {
  readonly literals: readonly string[]
  readonly slotNames: readonly string[]
}

const TOKEN = /\{([^{}]+)\}|([{}])\2|([{}])|[^{}]+/g

/**
 * Reads `MOVIE#{name}`; a brace that is not of a slot is written twice. Token by token: literals that are cut out of a
 * text with a mark for each slot take two bytes a character where the mark does, and so does every key made with them.
 */
export function tokenizeTemplate(template: NamedTemplate): TemplateTokens {
  const { source } = template
  const malformed = (wrong: string, advice: string) => createTemplateError('key.template', template, { wrong, advice })
  if (source === '') throw malformed('is empty', 'give it a text or a slot')
  // No text sorts after U+10FFFF, so the range of what begins with it would have no end.
  if (/[\p{Cs}\u{10ffff}]/u.test(source))
    throw malformed('has half a surrogate pair or U+10FFFF', 'remove this character')
  const literals = ['']
  const slotNames: string[] = []
  for (const [token, name, escapedBrace, unmatchedBrace] of source.matchAll(TOKEN)) {
    if (unmatchedBrace !== undefined)
      throw malformed(
        `has a single '${unmatchedBrace}' outside a slot`,
        `write it twice: '${unmatchedBrace}${unmatchedBrace}'`,
      )
    if (name === undefined) literals.push(`${literals.pop()}${escapedBrace ?? token}`)
    else {
      slotNames.push(name)
      literals.push('')
    }
  }
  return { literals, slotNames }
}
