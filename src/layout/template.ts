import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../dynamodb/limits.js'
import { type KeyPart, type KeyText, keyText } from './key-text.js'
import { templateError } from './template-error.js'
import { parseTemplate } from './template-parse.js'

/** Joins the parts of a key, and sorts before everything that an escaped part can begin or go on with. */
const SEPARATOR = '#'
export const ESCAPE = '$'

export interface Slot {
  readonly name: string
  readonly part: KeyPart
  readonly text: KeyText
  /** Whether each character up to `$` has a `$` before it. */
  readonly escaped: boolean
  /** The character that a raw value may not contain, since it ends it; '' where there is none. */
  readonly stop: string
}

/**
 * A key as literals with a slot between each two. `encoded`: our own scheme, which can be read back and sorts part by
 * part. `raw`: keys that other programs write too; values stand in them as they are.
 */
export interface Template {
  readonly source: string
  readonly mode: 'encoded' | 'raw'
  readonly separator: string
  readonly fold: 'upper' | 'lower' | undefined
  readonly maxBytes: number
  readonly literals: readonly string[]
  readonly slots: readonly Slot[]
}

export interface TemplateOptions {
  /** A partition key may have 2,048 bytes, a sort key 1,024. */
  readonly key: 'partition' | 'sort'
  /** Values stand in the key as they are; one that contains what ends its part is refused. */
  readonly raw?: boolean | undefined
  /** Of a raw template: the case that values are brought to. */
  readonly fold?: 'upper' | 'lower' | undefined
  /** Of a raw template: what its parts are joined by, where not `#`. */
  readonly separator?: string | undefined
}

/** Reads a template. `partOf` tells what a slot holds, or undefined where there is nothing of that name. */
export function template(
  source: string,
  partOf: (slot: string) => KeyPart | undefined,
  options: TemplateOptions,
): Template {
  const { literals, names } = parseTemplate(source)
  const raw = options.raw ?? false
  const made: Template = {
    source,
    mode: raw ? 'raw' : 'encoded',
    separator: (raw && options.separator) || SEPARATOR,
    fold: raw ? options.fold : undefined,
    maxBytes: options.key === 'partition' ? PARTITION_KEY_BYTES : SORT_KEY_BYTES,
    literals,
    slots: names.map((name, index) => slotOf(source, name, partOf(name), raw, literals[index + 1]!)),
  }
  if (!raw) checkSeparated(made)
  return made
}

function slotOf(source: string, name: string, part: KeyPart | undefined, raw: boolean, next: string): Slot {
  const text = part && keyText(part, raw)
  if (!text) {
    const fault = part ? `is a ${part.kind}, which cannot be in a key` : 'is not there'
    throw templateError('key.slot', source, name, `has a slot {${name}}, but "${name}" ${fault}.`)
  }
  return { name, part, text, escaped: !raw && next !== '', stop: raw ? stopOf(text, next) : '' }
}

/** Texts that say themselves where they end need no stop. */
function stopOf({ sortsRaw }: KeyText, next: string): string {
  return sortsRaw === 'always' ? '' : firstCharacter(next)
}

const firstCharacter = (text: string) => (text === '' ? '' : String.fromCodePoint(text.codePointAt(0)!))

/** An escaped part ends where the separator stands, so there must be one, but after a part at the very end. */
function checkSeparated({ source, literals, slots }: Template): void {
  for (const [index, { name }] of slots.entries()) {
    const next = literals[index + 1]!
    if (next.startsWith(SEPARATOR) || (next === '' && index === slots.length - 1)) continue
    throw templateError(
      'key.template',
      source,
      name,
      `goes on after {${name}} without "${SEPARATOR}", so that the part has no end: put "${SEPARATOR}" there, or declare the template raw.`,
    )
  }
}

/**
 * The templates of one key attribute, which must be told apart. A part at the end of a key stands there as it is, which
 * reads best, unless a longer template begins alike: `A#{x}` beside `A#{x}#B#{y}`. There it is escaped, or in a raw
 * template may not contain the separator.
 */
export function settle(templates: readonly Template[]): Template[] {
  return templates.map(one => (templates.some(other => goesOn(one, other)) ? closed(one) : one))
}

function closed(template: Template): Template {
  const { mode, slots, literals, separator } = template
  if (literals[slots.length] !== '' || slots.length === 0) return template
  const last = slots.at(-1)!
  const shut: Slot = mode === 'encoded' ? { ...last, escaped: true } : { ...last, stop: stopOf(last.text, separator) }
  return { ...template, slots: [...slots.slice(0, -1), shut] }
}

/** Whether `other` has more parts than `one`, and those before the last of `one` can be the same. */
function goesOn(one: Template, other: Template): boolean {
  const head = partsOf(one, one.separator)
  const longer = partsOf(other, one.separator)
  if (longer.length <= head.length) return false
  return head.every((part, index) => {
    const theirs = longer[index]!
    return index === head.length - 1 || part === theirs || part.includes('{') || theirs.includes('{')
  })
}

/** The template cut at its separators, with `{` for every slot. */
const partsOf = ({ literals }: Template, separator: string) => literals.join('{').split(separator)
