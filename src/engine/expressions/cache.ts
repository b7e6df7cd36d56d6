/** Keeps what texts were parsed into, the oldest leaving first, so that a service that sends the same expressions over and over pays once. */
export class SyntaxCache<Syntax> {
  private readonly known = new Map<string, Syntax>()

  constructor(
    private readonly parse: (text: string) => Syntax,
    private readonly entriesMax: number,
  ) {}

  get(text: string): Syntax {
    const known = this.known.get(text)
    if (known !== undefined) return known
    const syntax = this.parse(text)
    if (this.entriesMax === 0) return syntax
    if (this.known.size >= this.entriesMax) this.known.delete(this.known.keys().next().value!)
    this.known.set(text, syntax)
    return syntax
  }
}
