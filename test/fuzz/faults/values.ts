import { byText, type Plain } from '../sides/outcome.js'

const NUMBER = /^([+-]?)0*(\d*?)(?:\.(\d*?)0*)?(?:e([+-]?\d+))?$/i

/** Returns a number in canonical form: its digits and their position. */
function canonical(text: string): string {
  const [, sign, whole = '', rest = '', power = '0'] = NUMBER.exec(text) ?? []
  if (sign === undefined) return text
  const all = whole + rest
  const digits = all.replace(/^0+/, '').replace(/0+$/, '')
  if (digits === '') return '0'
  const first = whole.length + Number(power) - (all.length - all.replace(/^0+/, '').length)
  return `${sign === '-' ? '-' : ''}.${digits}e${first}`
}

/** Changes the members of a value by name, innermost first; list elements have no name. */
export function changed(value: Plain, change: (name: string, member: Plain) => Plain): Plain {
  if (Array.isArray(value)) return value.map(member => change('', changed(member, change)))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, change(name, changed(member, change))]),
  )
}

/** Converts all numbers to canonical form. */
export function withoutNotation(value: Plain): Plain {
  return changed(value, (name, member) => {
    if (name === 'N' && typeof member === 'string') return canonical(member)
    if (name === 'NS' && Array.isArray(member)) return member.map(each => canonical(String(each))).sort(byText)
    return member
  })
}

export type Members = { readonly [name: string]: Plain }
export const membersOf = (value: Plain | undefined): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
export const listOf = (value: Plain | undefined): Plain[] => (Array.isArray(value) ? value : [])
