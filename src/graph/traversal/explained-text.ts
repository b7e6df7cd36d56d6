import type { ExplainedStep } from '../../plan/explain.js'
import { ASSUMED } from '../../plan/price.js'
import type { Estimate, TraversalSizes, WavePlan } from '../../traverse/explain.js'
import type { Budget } from '../../traverse/traversal.js'

/** The waves of a traversal in words. */
export function wavesText(
  { waves, requests, units }: Pick<WavePlan, 'waves' | 'requests' | 'units'>,
  steps: readonly ExplainedStep[],
  budget: Budget,
  { degrees, items, itemBytes }: TraversalSizes,
): string {
  const lines = waves.map((wave, i) => {
    const { operation, index, asks } = steps[i]!
    const what = wave.reads === 'lists' ? `lists of ${wave.of}` : `nodes of '${wave.of}'`
    const place = index ? `the index ${index}` : 'the table'
    const example = wave.reads === 'lists' ? `${operation} on ${place}: ${asks}` : `${operation} on ${place}`
    return [
      `Wave ${i + 1}. ${number(wave.count.expected)} ${what}, ${number(wave.requests.expected)} requests, ${number(wave.units.expected)} read units`,
      example,
    ].join('\n   ')
  })
  const assumed = [
    !degrees && items === undefined && `${ASSUMED.items} edges a list`,
    itemBytes === undefined && `${ASSUMED.itemBytes} bytes an item`,
  ].filter(Boolean)
  const isOver = requests.expected > budget.requests || units.expected > (budget.units ?? Number.POSITIVE_INFINITY)
  const last = [
    `Total: ${range(requests)} requests, ${range(units)} read units`,
    assumed[0] && ` (assuming ${assumed.join(' and ')})`,
    '.',
    isOver &&
      ` This passes the budget of ${budget.requests} requests${budget.units === undefined ? '' : ` and ${budget.units} units`}.`,
  ]
  return [...lines, last.filter(Boolean).join('')].join('\n')
}

const number = (value: number) => String(Math.round(value * 10) / 10)

const range = ({ expected, maximum }: Estimate) =>
  expected >= maximum ? number(expected) : `${number(expected)} expected and at most ${number(maximum)}`
