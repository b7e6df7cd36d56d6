/** Keys that violate a rule, with the values that make them on both sides. */
export interface Counterexample {
  /** One key, or the partition key and the sort key. */
  readonly texts: readonly string[]
  readonly left: Readonly<Record<string, string>>
  readonly right: Readonly<Record<string, string>>
  /** Whether the values make all of these keys at once. */
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
