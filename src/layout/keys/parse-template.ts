import { createTemplateError, type NamedTemplate } from './template-error.js'

/** A parsed template: literals with a slot between each two. */
export interface TemplateTokens {
  readonly literals: readonly string[]
  readonly slotNames: readonly string[]
}

const TOKEN = /\{([^{}]+)\}|([{}])\2|([{}])|[^{}]+/g

/**
 * Splits a template such as `MOVIE#{name}` into literals and slots; a doubled brace is a literal brace. It works token
 * by token: a literal sliced from a text with two-byte characters takes two bytes per character in V8, and so does
 * every key made with it.
 */
export function tokenizeTemplate(template: NamedTemplate): TemplateTokens {
  const { source } = template
  const malformed = (wrong: string, advice: string) => createTemplateError('key.template', template, { wrong, advice })
  if (source === '') throw malformed('is empty', 'give it a text or a slot')
  // No character sorts after U+10FFFF, so a range of texts with this prefix would have no upper bound.
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
