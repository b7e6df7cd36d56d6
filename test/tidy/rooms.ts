/** A folder of `src`, or an entry that is a single file, such as `index` for `src/index.ts`. */
interface Room {
  /** Drawn in brackets: the room is planned and has no folder yet. */
  readonly later: boolean
  /** The rooms directly to the left. */
  readonly left: Set<string>
}

export type Rooms = ReadonlyMap<string, Room>

/** Reads the block `rooms` of ARCHITECTURE.md, whose lines are chains such as `a <- b, (c) <- d`. */
export function parseRooms(markdown: string): Rooms {
  const block = /^```rooms\n([^`]*)^```$/m.exec(markdown)
  if (!block) throw new Error('no block of rooms is drawn')
  const rooms = new Map<string, Room>()
  for (const chain of block[1]!.split('\n').filter(line => line.trim() !== '')) {
    let left: string[] = []
    for (const column of chain.split('<-')) {
      const drawn = column.split(',').map(text => text.trim())
      left = drawn.map(text => draw(rooms, text, left))
    }
  }
  return rooms
}

function draw(rooms: Map<string, Room>, text: string, left: readonly string[]): string {
  const [, bracket, name] = /^(\(?)([a-z]+)\)?$/.exec(text) ?? []
  if (name === undefined) throw new Error(`cannot read "${text}" as a room`)
  const room = rooms.get(name) ?? { later: bracket === '(', left: new Set<string>() }
  if (room.later !== (bracket === '(')) throw new Error(`${name} is drawn both with brackets and without`)
  for (const other of left) room.left.add(other)
  rooms.set(name, room)
  return name
}

/** Returns the rooms that a room may import: all to the left, at any distance. */
export function leftOf(rooms: Rooms, name: string): Set<string> {
  const all = new Set<string>()
  const pending = [...(rooms.get(name)?.left ?? [])]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (all.has(next)) continue
    all.add(next)
    pending.push(...rooms.get(next)!.left)
  }
  return all
}

/** Returns the differences between drawing and folders. `paths` are those of all files in `src`. */
export function misdrawnRooms(rooms: Rooms, paths: readonly string[]): string[] {
  const built = new Set(paths.map(roomOf))
  const found: string[] = []
  for (const [name, { later }] of rooms) {
    if (leftOf(rooms, name).has(name)) found.push(`${name} is left of itself`)
    if (later && built.has(name)) found.push(`${name} is drawn as later, but is there`)
    if (!later && !built.has(name)) found.push(`${name} is drawn, but is not there`)
  }
  for (const name of built) if (!rooms.has(name)) found.push(`${name} is not drawn`)
  return found
}

/** Returns folders inside a room with the name of another room, which the linter and readers would confuse. */
export function confusingFolders(rooms: Rooms, paths: readonly string[]): string[] {
  return paths
    .filter(path =>
      path
        .split('/')
        .slice(2, -1)
        .some(folder => rooms.has(folder)),
    )
    .map(path => `${path} is in a folder named as a room`)
}

/** Returns the room of a file in `src`, by its path from the root. */
export function roomOf(path: string): string {
  return path.split('/')[1]!.replace(/\.[jt]s$/, '')
}
