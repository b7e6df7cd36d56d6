import type { Counterexample } from '../../schema/error-details.js'

export function describeCounterexample(
  { texts, left, right, isCertain }: Counterexample,
  one = 'the one',
  other = 'the other',
): string {
  const keys = texts.map(text => JSON.stringify(text)).join(' / ')
  const verb = isCertain ? 'is' : 'may be'
  return `${keys} ${verb} ${describeValues(left)} as ${one} and ${describeValues(right)} as ${other}`
}

function describeValues(slots: Readonly<Record<string, string>>): string {
  const list = Object.entries(slots).map(([name, text]) => `${name} ${JSON.stringify(text)}`)
  return list.length === 0 ? 'a constant' : list.join(', ')
}
