import { type Attribute, attribute } from '../attribute.js'
import type { Renewal, Surroundings } from '../declared.js'
import { date } from './date.js'

const now = (surroundings: Surroundings) => new Date(surroundings.now())

/** When it was made. Updates leave it alone; a put writes the whole anew, and this with it unless it is given. */
export function created(): Attribute<Date, 'default'> {
  return date().default(now)
}

const RENEWED: Renewal = {
  patched: ({ attributes }, name, _, surroundings) => ({
    kind: 'set',
    value: attributes[name]!.encode(now(surroundings), name),
  }),
}

/** When it was last written: every put and every update sets it. */
export function updated(): Attribute<Date, 'default'> {
  return attribute({ ...date().declared, fallback: now, renewed: RENEWED })
}
