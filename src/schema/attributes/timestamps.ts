import { type Attribute, createAttribute } from '../attribute.js'
import type { Environment, Recomputation } from '../declarations.js'
import { date } from './date.js'

const currentDate = (environment: Environment) => new Date(environment.now())

/** When it was made. Updates leave it alone; a put writes the whole anew, and this with it unless it is given. */
export function created(): Attribute<Date, 'default'> {
  return date().default(currentDate)
}

const SET_ON_WRITE: Recomputation = {
  changeForPatch: ({ attributes }, name, _, environment) => ({
    kind: 'set',
    value: attributes[name]!.encode(currentDate(environment), name),
  }),
}

/** When it was last written: every put and every update sets it. */
export function updated(): Attribute<Date, 'default'> {
  return createAttribute({ ...date().declared, fallback: currentDate, recomputation: SET_ON_WRITE })
}
