// How much code one call runs through: files, functions, and switches between rooms. `--json` prints the numbers only;
// `--list` also prints every function in the order of its first call.
import { register } from 'node:module'

interface Entry {
  readonly file: string
  /** The name and offset of the function, which are unique in its file. */
  readonly name: string
  /** The function that called it, with its file. Undefined for a callback of Node. */
  readonly caller: string | undefined
  readonly callerFile: string | undefined
}

interface Walk {
  readonly files: number
  readonly functions: number
  readonly filesAboveStore: number
  readonly functionsAboveStore: number
  readonly roomSwitches: number
}

/** Code that runs once or is compiled after some repetitions, such as readers of rows after 200 rows, must not count. */
const WARM_UP_RUNS = 300
const ROOMS_BELOW: ReadonlySet<string> = new Set(['store', 'engine', 'dynamodb', 'embedded'])
const CALLER_FRAMES_MAX = 20

const sources = new URL('../src/', import.meta.url).href
const entries: Entry[] = []
let isRecording = false

/** The hooks insert a call of this function at the start of every function of `src`. */
function recordEntry(file: string, offset: number, name: string): void {
  if (!isRecording) return
  const frame = callerFrame()
  const callerFile = frame?.getFileName()?.slice(sources.length)
  const caller = frame && `${callerFile} ${frame.getFunctionName() ?? 'anonymous'}`
  entries.push({ file, name: `${name}:${offset}`, caller, callerFile })
}

/** Returns the nearest frame of `src` above the function that was entered. */
function callerFrame(): NodeJS.CallSite | undefined {
  const { prepareStackTrace, stackTraceLimit } = Error
  Error.stackTraceLimit = CALLER_FRAMES_MAX
  Error.prepareStackTrace = (_, frames) => frames
  const holder: { stack?: NodeJS.CallSite[] } = {}
  Error.captureStackTrace(holder, recordEntry)
  const frames = holder.stack!
  Object.assign(Error, { prepareStackTrace, stackTraceLimit })
  return frames.slice(1).find(frame => frame.getFileName()?.startsWith(sources))
}

const roomOf = (file: string) => file.replace(/\.js$/, '').split('/')[0]!
const isAboveStore = (file: string) => !ROOMS_BELOW.has(roomOf(file))
const functionOf = ({ file, name }: Entry) => `${file} ${name}`
const countDistinct = (values: readonly string[]) => new Set(values).size

/** A call of a function in another room, with both above the store. A return is not a switch. */
function isRoomSwitch({ file, callerFile }: Entry): boolean {
  if (callerFile === undefined || !isAboveStore(file) || !isAboveStore(callerFile)) return false
  return roomOf(file) !== roomOf(callerFile)
}

function measure(): Walk {
  const above = entries.filter(({ file }) => isAboveStore(file))
  // Repeated calls of a function by the same function are one switch, so that the size of a row does not matter.
  const switches = entries.filter(isRoomSwitch).map(entry => `${entry.caller} > ${functionOf(entry)}`)
  return {
    files: countDistinct(entries.map(({ file }) => file)),
    functions: countDistinct(entries.map(functionOf)),
    filesAboveStore: countDistinct(above.map(({ file }) => file)),
    functionsAboveStore: countDistinct(above.map(functionOf)),
    roomSwitches: countDistinct(switches),
  }
}

function printEntries(): void {
  const listed = new Set<string>()
  for (const entry of entries) {
    const called = `${entry.file.replace(/\.js$/, '.ts')} ${entry.name.split(':')[0]}`
    const line = isRoomSwitch(entry) ? `  switch: ${entry.caller!.replace('.js', '.ts')} > ${called}` : `  ${called}`
    if (!listed.has(line)) console.log(line)
    listed.add(line)
  }
}

Object.assign(globalThis, { recordEntry })
register('./walk-hooks.js', import.meta.url, { data: { sources } })
// Imported after the hooks are registered, so that they see every module of `src`.
const { walkedCalls } = await import('./walk-calls.js')
const walks: Record<string, Walk> = {}
for (const [name, create] of Object.entries(walkedCalls)) {
  const { prepare } = await create()
  for (let index = 0; index < WARM_UP_RUNS; index++) await (await prepare(index))()
  const run = await prepare(WARM_UP_RUNS)
  entries.length = 0
  isRecording = true
  await run()
  isRecording = false
  const walk = measure()
  walks[name] = walk
  if (process.argv.includes('--json')) continue
  console.log(
    `${name}: ${walk.files} files, ${walk.functions} functions; above the store: ${walk.filesAboveStore} files, ` +
      `${walk.functionsAboveStore} functions, ${walk.roomSwitches} room switches`,
  )
  if (process.argv.includes('--list')) printEntries()
}
if (process.argv.includes('--json')) console.log(JSON.stringify(walks))
