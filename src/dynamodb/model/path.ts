/** Where a member stands in a request, in the two spellings in which the service names it. */
export class Path {
  private constructor(
    readonly camelCase: string,
    readonly asSpelled: string,
  ) {}

  static readonly root = new Path('', '')

  member(name: string): Path {
    return this.below(name.charAt(0).toLowerCase() + name.slice(1), name)
  }

  element(index: number): Path {
    const segment = `${index + 1}.member`
    return this.below(segment, segment)
  }

  entry(key: string): Path {
    const segment = `${key}.member`
    return this.below(segment, segment)
  }

  private below(camelCase: string, asSpelled: string): Path {
    if (this === Path.root) return new Path(camelCase, asSpelled)
    return new Path(`${this.camelCase}.${camelCase}`, `${this.asSpelled}.${asSpelled}`)
  }
}
