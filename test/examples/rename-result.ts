/** The expected result of the students example on every store. */
export const RENAMED = {
  before: [
    { title: 'Mathematics', students: 2, names: ['Ann', 'Tom'] },
    { title: 'Art', students: 1, names: ['Tom'] },
  ],
  after: [
    { title: 'Mathematics', students: 1, names: ['Thomas'] },
    { title: 'Art', students: 1, names: ['Thomas'] },
  ],
  stats: { failed: 0, deadLettered: 0 },
}
