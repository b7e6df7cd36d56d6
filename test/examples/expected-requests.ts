/** The cost of an access pattern: its requests in order, and the read units that they consume. */
export interface Expected {
  readonly sent: readonly string[]
  readonly units: Readonly<Record<string, number>>
}

const query = { sent: ['query'], units: { table: 0.5 } }
const get = { sent: ['getItem'], units: { table: 0.5 } }
const queryOn = (index: string) => ({ sent: [`query on ${index}`], units: { [index]: 0.5 } })
const times = (n: number, request: string) => Array.from({ length: n }, () => request)

/** Costs by example and pattern. These are the minimum that DynamoDB allows. */
export const EXPECTED: Readonly<Record<string, Readonly<Record<string, Expected>>>> = {
  invoices: {
    'An invoice with its customer and its bills': query,
    'The invoices of a customer': queryOn('GSI_1'),
    'A customer with the invoices': queryOn('GSI_1'),
    'A bill with the invoices that it is in': query,
    'The same with whole invoices': { sent: ['query', 'batchGetItem'], units: { table: 0.5 + 2 * 0.5 } },
  },
  school: {
    'A student with classes and homes': query,
    'The classes of a student': query,
    'The classes of a student with one teacher': query,
    'The students of a teacher': queryOn('GSI1'),
    'The students of a teacher in one class': queryOn('GSI1'),
    'Who lives in a state': queryOn('GSI1'),
    'Who lives in a city that begins with LOS': queryOn('GSI1'),
  },
  shops: {
    'A customer with the orders': query,
    'The first ten orders of a customer': query,
    'One order': get,
    'The shops of a state': queryOn('GSI1'),
    'The shops of a city, by a range of zip': queryOn('GSI1'),
  },
  people: {
    // Each shard costs at least half a unit and returns only keys.
    'Who was born in a decade, in order': {
      sent: [...times(8, 'query on GSI1'), 'batchGetItem'],
      units: { GSI1: 8 * 0.5, table: 2 * 0.5 },
    },
    'A page of those who have a skill': {
      sent: [...times(4, 'query on GSI1'), 'batchGetItem'],
      units: { GSI1: 4 * 0.5, table: 2 * 0.5 },
    },
    'The first whose name begins with J': {
      sent: [...times(4, 'query on GSI1'), 'batchGetItem'],
      units: { GSI1: 4 * 0.5, table: 0.5 },
    },
    'Who lives in a country, by city': {
      sent: ['query on GSI1', 'batchGetItem'],
      units: { GSI1: 0.5, table: 2 * 0.5 },
    },
    // An index entry does not show whether its person is being deleted.
    'How many live in a country': { sent: ['query on GSI1', 'batchGetItem'], units: { GSI1: 0.5, table: 2 * 0.5 } },
    'The people who know someone': { sent: ['query on GSI1', 'batchGetItem'], units: { GSI1: 0.5, table: 2 * 0.5 } },
  },
  movies: {
    'A movie with its roles': query,
    'An actor with his roles': queryOn('inverted'),
    'The roles of a movie, with whole actors': { sent: ['query', 'batchGetItem'], units: { table: 0.5 + 2 * 0.5 } },
    'One role': get,
  },
  follows: {
    'A user with the last ten of those followed, whole': {
      sent: ['query', 'batchGetItem'],
      units: { table: 0.5 + 10 * 0.5 },
    },
    'A user with the first ten of those followed, whole': {
      sent: ['getItem', 'query', 'batchGetItem'],
      units: { table: 0.5 + 0.5 + 10 * 0.5 },
    },
    'Whom a user follows': query,
    'The latest followers of a user': queryOn('GSI1'),
    'How many follow a user': get,
    'Whom a user may know: those whom the followed follow': { sent: ['query', 'query'], units: { table: 2 * 0.5 } },
  },
  courses: {
    'A course with its pupils': get,
    'Several courses with theirs': { sent: ['batchGetItem'], units: { table: 2 * 0.5 } },
    'The courses of a pupil': query,
    'One pupil of a course': get,
  },
}
