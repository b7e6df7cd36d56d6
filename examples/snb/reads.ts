import { ic1, ic2, ic4, ic7, ic9 } from './complex.js'
import { ic8, ic10, ic11, ic12, ic13 } from './complex-people.js'
import type { Network } from './generate.js'
import type { Seeded } from './seeded.js'
import { is1, is2, is3, is4, is5, is6, is7 } from './short.js'

/** The interactive reads that fit into one process, by their names in the benchmark. */
export const READS = {
  IS1: { what: 'the profile of a person', read: is1 },
  IS2: { what: 'the last messages of a person', read: is2 },
  IS3: { what: 'the friends of a person', read: is3 },
  IS4: { what: 'the content of a message', read: is4 },
  IS5: { what: 'the author of a message', read: is5 },
  IS6: { what: 'the forum of a message', read: is6 },
  IS7: { what: 'the replies to a message', read: is7 },
  IC1: { what: 'people of a first name within three steps', read: ic1 },
  IC2: { what: 'the latest messages of friends', read: ic2 },
  IC4: { what: 'new topics of friends', read: ic4 },
  IC7: { what: 'the latest likers', read: ic7 },
  IC8: { what: 'the latest replies', read: ic8 },
  IC9: { what: 'the latest messages within two steps', read: ic9 },
  IC10: { what: 'friends of friends with the same interests', read: ic10 },
  IC11: { what: 'who has worked where, within two steps', read: ic11 },
  IC12: { what: 'friends who comment on a class of tags', read: ic12 },
  IC13: { what: 'the distance between two people', read: ic13 },
} as const

/** The reads that need a batch job, because their work grows with the whole graph. */
export const BATCH_READS = {
  IC3: 'friends who posted from two countries: counts over all messages of two steps',
  IC5: 'forums that friends of friends joined, by posts in them',
  IC6: 'tags that occur together: a join over all posts of two steps',
  IC14: 'all shortest paths, weighted by interactions',
} as const

export type ReadName = keyof typeof READS
export type ParametersOf<Name extends ReadName> = Parameters<(typeof READS)[Name]['read']>[1]
type AllParameters = { readonly [Name in ReadName]: (random: Seeded) => ParametersOf<Name> }

/** Parameters that occur in a network, drawn at random. */
export function parametersOf(rows: Network): AllParameters {
  const [first, last] = [rows.message[0]!.created.getTime(), rows.message.at(-1)!.created.getTime()]
  const person = (random: Seeded) => ({ person: random.pick(rows.person).id })
  const message = (random: Seeded) => ({ message: random.pick(rows.message).id })
  const day = (random: Seeded) => new Date(first + Math.floor(random.next() * (last - first)))
  return {
    IS1: person,
    IS2: person,
    IS3: person,
    IS4: message,
    IS5: message,
    IS6: message,
    IS7: message,
    IC1: random => ({ ...person(random), firstName: random.pick(rows.person).firstName }),
    IC2: random => ({ ...person(random), until: day(random) }),
    IC4: random => ({ ...person(random), from: day(random), days: random.integer(1, 60) }),
    IC7: person,
    IC8: person,
    IC9: random => ({ ...person(random), before: day(random) }),
    IC10: random => ({ ...person(random), month: random.integer(1, 12) }),
    IC11: random => ({
      ...person(random),
      country: random.pick(rows.place.filter(({ kind }) => kind === 'country')).name,
      before: random.integer(1995, 2015),
    }),
    IC12: random => ({ ...person(random), tagClass: random.pick(rows.tagClass).name }),
    IC13: random => ({ ...person(random), other: random.pick(rows.person).id }),
  }
}
