/** `npm run example -- movies`: runs the named examples, or all. */
const examples: Readonly<Record<string, () => Promise<unknown>>> = {
  invoices: () => import('./invoices/invoices.js'),
  school: () => import('./school/school.js'),
  shops: () => import('./shops/shops.js'),
  people: () => import('./people/people.js'),
  nightly: () => import('./people/nightly.js'),
  movies: () => import('./movies/movies.js'),
  follows: () => import('./follows/follows.js'),
  courses: () => import('./courses/courses.js'),
  students: () => import('./students/main.js'),
  snb: () => import('./snb/main.js'),
}

const names = Object.keys(examples)
const asked = process.argv.slice(2)
const unknown = asked.filter(name => !names.includes(name))
if (unknown.length > 0) {
  console.error(`There is no example '${unknown.join("', '")}': give any of ${names.join(', ')}, or none for all.`)
  process.exitCode = 1
} else for (const name of asked.length > 0 ? asked : names) await examples[name]!()
