import type { Key } from '../../dynamodb/attribute-value.js'
import type { EmbeddedStore, HeatReport, TrafficReport } from '../../engine/index.js'
import { drawTable } from '../terminal/text-table.js'

const SHOWN_KEYS = 10
const COLUMNS = ['in', 'partition key', 'read units', 'write units', 'throttled']

type HeatByTable = Readonly<Record<string, HeatReport>>

/** The traffic of every table, by partition key. */
export async function readHeat(store: EmbeddedStore): Promise<HeatByTable> {
  const names: string[] = []
  let last: string | undefined
  do {
    const { TableNames = [], LastEvaluatedTableName } = await store.listTables({ ExclusiveStartTableName: last })
    names.push(...TableNames)
    last = LastEvaluatedTableName
  } while (last !== undefined)
  return Object.fromEntries(names.map(name => [name, store.heat(name)]))
}

/** Formats the report for people: the totals and the hottest keys of each used table and index. */
export function formatHeat(heats: HeatByTable): string {
  const used = Object.entries(heats).filter(([, { table, indexes }]) => [table, ...Object.values(indexes)].some(isUsed))
  if (used.length === 0) return 'No reads or writes.'
  return used.map(([name, heat]) => `${name}\n${drawTable({ columns: COLUMNS, rows: heatRowsOf(heat) })}`).join('\n\n')
}

function heatRowsOf({ table, indexes }: HeatReport): string[][] {
  const parts: [string, TrafficReport][] = [['the table', table], ...Object.entries(indexes)]
  return parts
    .filter(([, report]) => isUsed(report))
    .flatMap(([name, report]) => [totalRow(name, report), ...hottestKeyRows(report)])
}

function isUsed({ consumed, throttled }: TrafficReport): boolean {
  return consumed.readUnits + consumed.writeUnits + throttled.reads + throttled.writes > 0
}

function totalRow(name: string, { consumed, throttled }: TrafficReport): string[] {
  const times = throttled.reads + throttled.writes
  return [name, 'all', String(consumed.readUnits), String(consumed.writeUnits), times === 0 ? '' : String(times)]
}

function hottestKeyRows({ keys }: TrafficReport): string[][] {
  const shown = keys.slice(0, SHOWN_KEYS)
  const rows = shown.map(({ key, readUnits, writeUnits }) => [
    '',
    formatKey(key),
    String(readUnits),
    String(writeUnits),
    '',
  ])
  const more = keys.length - shown.length
  return more > 0 ? [...rows, ['', `… ${more} more`, '', '', '']] : rows
}

function formatKey(key: Key): string {
  const text = ({ S, N, B }: Key[string]) => S ?? N ?? Buffer.from(B ?? []).toString('base64')
  return Object.entries(key)
    .map(([name, value]) => `${name}=${text(value)}`)
    .join(' ')
}
