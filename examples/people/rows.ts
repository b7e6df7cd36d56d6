export const rows = {
  person: [
    {
      id: 'p1',
      name: 'Jane',
      born: new Date('1980-05-01'),
      country: 'USA',
      city: 'Boston',
      skills: new Set(['java', 'sql']),
    },
    {
      id: 'p2',
      name: 'John',
      born: new Date('1975-11-12'),
      country: 'USA',
      city: 'Austin',
      skills: new Set(['java']),
    },
    {
      id: 'p3',
      name: 'Mia',
      born: new Date('1990-02-28'),
      country: 'Italy',
      city: 'Rome',
      skills: new Set(['sql']),
    },
  ],
  knows: [
    { from: 'p2', to: 'p1' },
    { from: 'p3', to: 'p1' },
  ],
}
