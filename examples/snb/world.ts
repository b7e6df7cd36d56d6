import type { Seeded } from './seeded.js'

/** The parts of the network that do not grow with the number of people. */
export interface World {
  readonly place: readonly {
    readonly id: number
    readonly name: string
    readonly kind: 'city' | 'country' | 'continent'
  }[]
  readonly partOf: readonly { readonly part: number; readonly whole: number }[]
  readonly organisation: readonly {
    readonly id: number
    readonly name: string
    readonly kind: 'university' | 'company'
  }[]
  readonly locatedIn: readonly { readonly organisation: number; readonly place: number }[]
  readonly tagClass: readonly { readonly id: number; readonly name: string }[]
  readonly subclassOf: readonly { readonly sub: number; readonly parent: number }[]
  readonly tag: readonly { readonly id: number; readonly name: string }[]
  readonly hasType: readonly { readonly tag: number; readonly tagClass: number }[]
}

type Rows<Name extends keyof World> = World[Name][number][]

const CONTINENTS = 2
const COUNTRIES = 6
const CITIES = 18
const CLASSES = 12
const TAGS = 40

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i)

/** Places, organisations and tags. */
export function generateWorld(random: Seeded): World {
  const place: Rows<'place'> = [
    ...numbers(CONTINENTS).map(i => ({ id: i, name: `Continent ${i}`, kind: 'continent' as const })),
    ...numbers(COUNTRIES).map(i => ({ id: 10 + i, name: `Country ${i}`, kind: 'country' as const })),
    ...numbers(CITIES).map(i => ({ id: 100 + i, name: `City ${i}`, kind: 'city' as const })),
  ]
  const partOf: Rows<'partOf'> = [
    ...numbers(COUNTRIES).map(i => ({ part: 10 + i, whole: i % CONTINENTS })),
    ...numbers(CITIES).map(i => ({ part: 100 + i, whole: 10 + (i % COUNTRIES) })),
  ]
  const organisation: Rows<'organisation'> = [
    ...numbers(8).map(i => ({ id: 1000 + i, name: `University ${i}`, kind: 'university' as const })),
    ...numbers(12).map(i => ({ id: 2000 + i, name: `Company ${i}`, kind: 'company' as const })),
  ]
  const locatedIn = organisation.map(({ id, kind }) => ({
    organisation: id,
    place: kind === 'university' ? 100 + random.integer(0, CITIES - 1) : 10 + random.integer(0, COUNTRIES - 1),
  }))
  const tagClass = numbers(CLASSES).map(i => ({ id: i, name: `Class ${i}` }))
  const subclassOf = numbers(CLASSES - 1).map(i => ({ sub: i + 1, parent: random.integer(0, i) }))
  const tag = numbers(TAGS).map(i => ({ id: i, name: `Tag ${i}` }))
  const hasType = tag.map(({ id }) => ({ tag: id, tagClass: random.integer(0, CLASSES - 1) }))
  return { place, partOf, organisation, locatedIn, tagClass, subclassOf, tag, hasType }
}
