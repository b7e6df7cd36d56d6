import type { Ask } from './queries.js'

export interface Names {
  readonly firstName: string
  readonly lastName: string
}

/** Names by person. Each person is read once, 100 in a request. */
export async function namesOf({ g, meter }: Ask, persons: readonly number[]): Promise<Map<number, Names>> {
  const ids = [...new Set(persons)]
  const rows = ids.length > 0 ? await meter.take(g.person.many(ids)) : []
  return new Map(rows.flatMap(row => (row ? [[row.id, { firstName: row.firstName, lastName: row.lastName }]] : [])))
}

/** Authors by message: one Query for each message, concurrently. */
export async function authorsOf({ g, meter }: Ask, messages: readonly number[]): Promise<Map<number, number>> {
  const [first, ...rest] = messages
  if (first === undefined) return new Map()
  const edges = await meter.take(
    g.message
      .from(first, ...rest)
      .hop(g.wrote.by.message)
      .edges(),
  )
  return new Map(edges.map(({ message, author }) => [message, author]))
}

/** The names of places. */
export async function placesOf({ g, meter }: Ask, places: readonly number[]): Promise<Map<number, string>> {
  const ids = [...new Set(places)]
  const rows = ids.length > 0 ? await meter.take(g.place.many(ids)) : []
  return new Map(rows.flatMap(row => (row ? [[row.id, row.name]] : [])))
}

/** The city of each person: one Query for each, concurrently. */
export async function citiesOf({ g, meter }: Ask, persons: readonly number[]): Promise<Map<number, string>> {
  const [first, ...rest] = persons
  if (first === undefined) return new Map()
  const homes = await meter.take(
    g.person
      .from(first, ...rest)
      .hop(g.livesIn.by.person)
      .edges(),
  )
  const names = await placesOf(
    { g, meter },
    homes.map(({ city }) => city),
  )
  return new Map(homes.map(({ person, city }) => [person, names.get(city)!]))
}
