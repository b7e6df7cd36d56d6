import type { Layout } from '../../layout/layout.js'
import type { Dialect } from '../dialect.js'
import { type Database, isOutOfMemory } from '../duckdb.js'
import { sqlLiteral } from '../sql-text.js'
import { type DataFile, type ExportFolder, verifyDataFile } from './export-folder.js'
import { ITEMS, itemColumns } from './item-table.js'
import { readIonLines } from './read-ion.js'
import { sourceError } from './source-error.js'

/** An item has at most 400 KB, which JSON escapes and base64 make longer; both images of it may be in one line. */
const LINE_BYTES_MAX = 16 * 1024 * 1024

/** The database that items are read into, with the layout that they have. */
export interface ItemReader {
  readonly database: Database
  readonly dialect: Dialect
  readonly layout: Layout
}

/** A table function that reads lines of JSON with these members, whose types are given so that none is guessed. */
export function readLines(paths: readonly string[], members: readonly string[]): string {
  const columns = members.map(name => `${name}: 'JSON'`).join(', ')
  return `read_json([${paths.map(sqlLiteral).join(', ')}], format = 'newline_delimited', compression = 'auto_detect', columns = {${columns}}, maximum_object_size = ${LINE_BYTES_MAX})`
}

/** Reads a full export and the incremental exports that follow it, in their order. */
export async function readExports(reader: ItemReader, exports: readonly ExportFolder[]): Promise<void> {
  checkSequence(exports)
  checkTable(exports)
  for (const each of exports) {
    for (const file of each.files) await verifyDataFile(file)
    const files = each.files.filter(({ itemCount }) => itemCount > 0)
    if (files.length === 0) continue
    const members = each.type === 'full' ? ['Item'] : ['Keys', 'NewImage']
    const isIon = each.format === 'ION'
    const lines = isIon ? await readIonLines(reader.database, files) : readLines(paths(files), members)
    if (each.type === 'full') await insertItems(reader, `SELECT Item AS item FROM ${lines}`, files)
    else await readIncrement(reader, files, lines)
    if (isIon) await reader.database.run('DROP TABLE ion_lines')
  }
}

/** An incremental export is of the time since the export before it. A gap would leave out changes. */
function checkSequence([full, ...increments]: readonly ExportFolder[]): void {
  if (full!.type !== 'full')
    throw sourceError(
      full!.folder,
      'it is an incremental export',
      'give a full export first, then the incremental ones',
    )
  let end = full!.moment
  for (const { folder, type, since, moment } of increments) {
    if (type === 'full') throw sourceError(folder, 'it is a second full export', 'give one full export')
    if (since! > end) throw sourceError(folder, `it begins at ${since}, after ${end}`, 'give the export in between too')
    // Its items would replace later ones.
    if (moment < end) throw sourceError(folder, `it ends at ${moment}, before ${end}`, 'omit it')
    end = moment
  }
}

/** A table that was deleted and created again has another id. Manifests may lack both. */
function checkTable(exports: readonly ExportFolder[]): void {
  for (const name of ['tableArn', 'tableId'] as const) {
    const [first, ...others] = exports.filter(each => each[name] !== undefined)
    const other = others.find(each => each[name] !== first![name])
    if (other)
      throw sourceError(
        other.folder,
        `its ${name} is ${other[name]} instead of ${first![name]}`,
        'give exports of one table',
      )
  }
}

const paths = (files: readonly DataFile[]) => files.map(({ path }) => path)

/** Inserts the items of these files, and throws unless they are as many as their manifest says. */
export async function insertItems(
  { database, dialect, layout }: ItemReader,
  documents: string,
  files: readonly Pick<DataFile, 'path' | 'itemCount'>[],
): Promise<void> {
  const expected = files.reduce((sum, { itemCount }) => sum + itemCount, 0)
  const before = await countItems(database)
  await readingFiles(files, () => database.run(`INSERT INTO ${ITEMS} ${itemColumns(layout, dialect, documents)}`))
  const found = (await countItems(database)) - before
  if (!Number.isNaN(expected) && found !== expected)
    throw sourceError(folderOf(files), `it has ${found} items instead of ${expected}`, 'export or download it again')
  const [keyless] = await database.rows(`SELECT count(*) AS n FROM ${ITEMS} WHERE pk IS NULL OR sk IS NULL`)
  if (keyless!.n !== 0)
    throw sourceError(
      folderOf(files),
      `${keyless!.n} lines have no item with the key ${layout.names.keys.join(', ')}`,
      'give an export of the table of this graph',
    )
}

const folderOf = (files: readonly Pick<DataFile, 'path'>[]) => files[0]!.path

/** Errors of DuckDB about a file name the file and the line. */
async function readingFiles(files: readonly Pick<DataFile, 'path'>[], read: () => Promise<void>): Promise<void> {
  try {
    await read()
  } catch (error) {
    if (isOutOfMemory(error)) throw error
    const [reason] = (error as Error).message.replace(/^SQL: /, '').split('; correct the statement')
    throw sourceError(folderOf(files), `a file cannot be read: ${reason}`, 'export or download it again')
  }
}

export async function countItems(database: Database): Promise<number> {
  const [row] = await database.rows(`SELECT count(*) AS n FROM ${ITEMS}`)
  return row!.n as number
}

/** An item that an increment has is replaced by its new image; without one it was deleted. */
async function readIncrement(reader: ItemReader, files: readonly DataFile[], lines: string): Promise<void> {
  const { database, dialect, layout } = reader
  const isImage = `coalesce(json_type(image), 'NULL') = 'OBJECT'`
  const changes = itemColumns(layout, dialect, `SELECT Keys AS item, NewImage AS image FROM ${lines}`, ['image'])
  await readingFiles(files, () =>
    database.run(`CREATE OR REPLACE TEMP TABLE increment AS SELECT pk, sk, image FROM (${changes})`),
  )
  const [count] = await database.rows('SELECT count(*) AS n, count(pk) AS keyed FROM increment')
  const expected = files.reduce((sum, { itemCount }) => sum + itemCount, 0)
  if (count!.n !== expected || count!.keyed !== count!.n)
    throw sourceError(
      folderOf(files),
      `it has ${count!.keyed} changes of items with a key instead of ${expected}`,
      'export or download it again',
    )
  await database.run(`
    DELETE FROM ${ITEMS} WHERE EXISTS (SELECT 1 FROM increment WHERE increment.pk = items.pk AND increment.sk = items.sk);
    INSERT INTO ${ITEMS} ${itemColumns(layout, dialect, `SELECT image AS item FROM increment WHERE ${isImage}`)};
    DROP TABLE increment`)
}
