import type { DeclaredEdge, DeclaredEnd } from '../declarations.js'

/** The end of an edge that has this name. */
export const findEnd = ({ ends }: DeclaredEdge, name: string | undefined): DeclaredEnd | undefined =>
  ends.find(end => end.name === name)
