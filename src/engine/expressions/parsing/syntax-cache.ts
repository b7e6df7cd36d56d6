/**
 * Caches parsed expressions, so that a service that repeats its expressions parses each of them once. The oldest entry
 * is evicted first.
 */
export class SyntaxCache<Syntax> {
  private readonly entries = new Map<string, Syntax>()

  constructor(
    private readonly parse: (text: string) => Syntax,
    private readonly maxEntries: number,
  ) {}

  get(text: string): Syntax {
    const known = this.entries.get(text)
    if (known !== undefined) return known
    const syntax = this.parse(text)
    if (this.maxEntries === 0) return syntax
    if (this.entries.size >= this.maxEntries) this.entries.delete(this.entries.keys().next().value!)
    this.entries.set(text, syntax)
    return syntax
  }
}
