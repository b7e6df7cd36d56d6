import type { DeclaredEdge, DeclaredEnd } from './declared.js'

/** The end of an edge that has this name. */
export const endNamed = ({ ends }: DeclaredEdge, name: string | undefined): DeclaredEnd | undefined =>
  ends.find(end => end.name === name)
