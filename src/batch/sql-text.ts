/** A text as a literal of SQL. */
export const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** A name of a table or a column. Every name is quoted, since types may be named as words of SQL are. */
export const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`

/**
 * Names that differ in more than case, since SQL ignores it: the second of `name` and `Name` becomes `Name_2`. Dots, which
 * separate the parts of an id, become underscores.
 */
export function distinctColumns(names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map(name => {
    const plain = name.replaceAll('.', '_')
    let free = plain
    for (let number = 2; used.has(free.toLowerCase()); number++) free = `${plain}_${number}`
    used.add(free.toLowerCase())
    return free
  })
}
