import { PRICE_REGION_AND_DATE } from '../../dynamodb/prices.js'
import { paint } from '../terminal/output.js'
import type { EdgeAdvice, EdgeChoice } from './advice.js'
import type { EdgeFacts, Facts } from './facts.js'
import { NEPTUNE_IO_MILLION_DOLLARS, NEPTUNE_STORAGE_GIGABYTE_MONTH_DOLLARS, type NeptuneAdvice } from './neptune.js'

const formatNumber = (value: number) => value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 1 : 0 })
const formatDollars = (value: number) => `$${value < 10 ? value.toFixed(2) : formatNumber(value)}`

/** Formats the advice for people. */
export function formatAdvice(facts: Facts, edges: readonly EdgeAdvice[], neptune: NeptuneAdvice): string {
  return [
    ...edges.map(advice => formatEdgeAdvice(advice, facts.edges[advice.edge]!)),
    formatNeptuneAdvice(neptune),
    `Prices of ${PRICE_REGION_AND_DATE}: on demand, or provisioned with 70% in use; plus storage. Writes are measured on the embedded engine, and reads follow their plans. The costs of changing copies and their stream are estimates.`,
  ].join('\n\n')
}

function formatEdgeAdvice({ edge, choices, because, warnings, declare }: EdgeAdvice, facts: EdgeFacts): string {
  const [best] = choices
  return [
    `${paint('bold', edge)}: ${formatNumber(facts.total)} edges of ${formatNumber(facts.bytes)} B`,
    ...formatChoices(choices),
    '',
    `Use ${paint('green', best!.name)}${best!.unfit === undefined ? '' : `, though ${best!.unfit}`}${best!.present ? ', the current declaration' : ''}${declare === '' ? ', which are the defaults' : `: ${paint('bold', declare)}`}.`,
    ...Object.entries(because).map(([end, why]) => `- ${end} ${why}.`),
    ...warnings.map(warning => `${paint('yellow', 'Warning:')} ${warning}.`),
  ].join('\n')
}

const HEAD = ['', 'on demand', 'provisioned', 'storage', 'read units/s', 'write units/s']

function formatChoices(choices: readonly EdgeChoice[]): string[] {
  const rows = choices.map(({ name, unfit, present, dollarsPerMonth, unitsPerSecond }) => [
    `${name}${present ? ', current' : ''}${unfit === undefined ? '' : ` (${unfit})`}`,
    formatDollars(dollarsPerMonth.onDemand),
    formatDollars(dollarsPerMonth.provisioned),
    formatDollars(dollarsPerMonth.storage),
    formatNumber(unitsPerSecond.read),
    formatNumber(unitsPerSecond.write),
  ])
  const all = [HEAD, ...rows]
  const widths = HEAD.map((_, column) => Math.max(...all.map(row => row[column]!.length)))
  return all.map(row =>
    `  ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  ')}`.trimEnd(),
  )
}

function formatNeptuneAdvice(neptune: NeptuneAdvice): string {
  const { answer, because, idleDollarsPerMonth, hops, requests, units, dollarsPerMonth, evenPerSecond } = neptune
  const idle = `The smallest Neptune Serverless costs ${formatDollars(idleDollarsPerMonth)} a month, idle (${PRICE_REGION_AND_DATE}), with storage at ${formatDollars(NEPTUNE_STORAGE_GIGABYTE_MONTH_DOLLARS)} a GB and ${formatDollars(NEPTUNE_IO_MILLION_DOLLARS)} a million I/Os on top.`
  const even =
    evenPerSecond === undefined
      ? ''
      : ` A traversal of ${hops} hops takes ${formatNumber(requests)} requests and ${formatNumber(units)} read units here, and your traversals cost ${formatDollars(dollarsPerMonth)} a month. From ${formatNumber(evenPerSecond)} a second, Neptune is cheaper if one capacity unit serves them.`
  return `${paint('bold', answer === 'dynamodb' ? 'DynamoDB is the better choice' : 'Neptune is the better choice')}: ${because}. ${idle}${even} At any price, use Neptune for paths of unknown length, shortest paths and graph algorithms: \`edgewise dump --format gremlin\` exports your data for it.`
}
