import type { ExplainedStep } from '../../plan/explain.js'
import { ASSUMED_SIZES } from '../../plan/price/read-price.js'
import type { Budget } from '../../traverse/traversal.js'
import type { Estimate, ExplainedWave, TraversalSizes, WavePlan } from '../../traverse/wave-estimates.js'

/** The waves of a traversal in words. */
export function describeWaves(
  { waves, ...total }: Pick<WavePlan, 'waves' | 'requests' | 'units'>,
  steps: readonly ExplainedStep[],
  budget: Budget,
  { degrees, items, itemBytes }: TraversalSizes,
): string {
  const lines = waves.map((wave, i) => {
    const { operation, index, asks } = steps[i]!
    const place = index ? `the index ${index}` : 'the table'
    const example = wave.reads === 'lists' ? `${operation} on ${place}: ${asks}` : `${operation} on ${place}`
    const { count, requests, units } = wave
    const head = `Wave ${i + 1}. ${roundedText(count.expected)} ${subjectText(wave)}: ${pluralize(requests.expected, 'request')}`
    return [`${head}, ${pluralize(units.expected, 'read unit')}`, example].join('\n   ')
  })
  const assumptions = [
    !degrees && items === undefined && `${ASSUMED_SIZES.items} edges a list`,
    itemBytes === undefined && `${ASSUMED_SIZES.itemBytes} bytes an item`,
  ].filter(Boolean)
  const isOver =
    total.requests.expected > budget.requests || total.units.expected > (budget.units ?? Number.POSITIVE_INFINITY)
  const last = [
    `Total: ${rangeText(total.requests, 'request')}, ${rangeText(total.units, 'read unit')}`,
    assumptions[0] && ` (assuming ${assumptions.join(' and ')})`,
    '.',
    isOver &&
      ` This passes the budget of ${budget.requests} requests${budget.units === undefined ? '' : ` and ${budget.units} units`}.`,
  ]
  return [...lines, last.filter(Boolean).join('')].join('\n')
}

const roundedText = (value: number) => String(Math.round(value * 10) / 10)

const pluralize = (value: number, name: string) => `${roundedText(value)} ${name}${value === 1 ? '' : 's'}`

function subjectText({ reads, of, count }: ExplainedWave): string {
  const plural = count.expected === 1 ? '' : 's'
  return reads === 'lists' ? `list${plural} of ${of}` : `node${plural} of '${of}'`
}

const rangeText = ({ expected, maximum }: Estimate, name: string) =>
  expected >= maximum
    ? pluralize(expected, name)
    : `${pluralize(expected, name)} expected and at most ${roundedText(maximum)}`
