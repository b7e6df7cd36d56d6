import type { DeclaredEdge, DeclaredEnd } from '../declarations.js'

/** Returns the end of an edge with this name. */
export const findEnd = ({ ends }: DeclaredEdge, name: string | undefined): DeclaredEnd | undefined =>
  ends.find(end => end.name === name)
