/** Keys that show what is wrong, and the values that make them on either side. */
export interface Counterexample {
  /** the one key, or partition key and sort key */
  readonly texts: readonly string[]
  readonly left: Readonly<Record<string, string>>
  readonly right: Readonly<Record<string, string>>
  /** Whether these values make these keys, all at once. */
  readonly isCertain: boolean
}

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
