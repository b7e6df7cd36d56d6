/** The location of a member in a request, in the two spellings that the service uses. */
export class MemberPath {
  private constructor(
    readonly camelCase: string,
    readonly asSpelled: string,
  ) {}

  static readonly root = new MemberPath('', '')

  member(name: string): MemberPath {
    return this.below(name.charAt(0).toLowerCase() + name.slice(1), name)
  }

  element(index: number): MemberPath {
    const segment = `${index + 1}.member`
    return this.below(segment, segment)
  }

  entry(key: string): MemberPath {
    const segment = `${key}.member`
    return this.below(segment, segment)
  }

  private below(camelCase: string, asSpelled: string): MemberPath {
    if (this === MemberPath.root) return new MemberPath(camelCase, asSpelled)
    return new MemberPath(`${this.camelCase}.${camelCase}`, `${this.asSpelled}.${asSpelled}`)
  }
}
