"""Computes with igraph and networkx what the built-in algorithms compute. Reads a graph as JSON, writes results by vertex."""
import json
import sys
from collections import Counter

import igraph
import networkx

sample = json.load(sys.stdin)
count, edges, directed = sample["nodes"], sample["edges"], sample["directed"]
pairs = [(a, b) for a, b, _ in edges]
weights = [weight for _, _, weight in edges]

# An undirected edge links both ways, and an edge of a vertex with itself is one link.
links = list(edges) + ([] if directed else [[b, a, weight] for a, b, weight in edges if a != b])
arcs = igraph.Graph(n=count, edges=[(a, b) for a, b, _ in links], directed=True)
arcs.es["weight"] = [weight for _, _, weight in links]
simple = igraph.Graph(n=count, edges=pairs, directed=False).simplify()
both = igraph.Graph(n=count, edges=pairs, directed=False)
both.es["weight"] = weights


def known(distances):
    return [None if value == float("inf") else value for value in distances]


def label_propagation(rounds):
    near = [Counter() for _ in range(count)]
    for a, b, weight in edges:
        if a != b:
            near[a][b] += weight
            near[b][a] += weight
    labels = list(range(count))
    for _ in range(rounds):
        labels = [propagated(near[v], labels, labels[v]) for v in range(count)]
    return labels


def propagated(near, labels, own):
    votes = Counter()
    for other, weight in near.items():
        votes[labels[other]] += weight
    if not votes:
        return own
    most = max(votes.values())
    return min(label for label, votes_of in votes.items() if votes_of == most)


def common_neighbors():
    """The vertices with the most common neighbors, and the number of the best."""
    graph = networkx.Graph((a, b) for a, b in pairs if a != b)
    graph.add_nodes_from(range(count))
    best = []
    for v in range(count):
        shared = Counter(w for u in graph[v] for w in graph[u] if w != v and w not in graph[v])
        scores = sorted((-number, w) for w, number in shared.items())
        best.append([[w for _, w in scores[:3]], -scores[0][0] if scores else 0])
    return best


components = both.connected_components()
groups = [(min(members), len(members)) for members in components]
triangles = [0] * count
for corners in simple.list_triangles():
    for v in corners:
        triangles[v] += 1
json.dump(
    {
        "rank": arcs.pagerank(damping=0.85, weights="weight", implementation="prpack"),
        "component": [groups[group][0] for group in components.membership],
        "size": [groups[group][1] for group in components.membership],
        "triangles": triangles,
        "clustering": simple.transitivity_local_undirected(mode="zero"),
        "near": known(both.distances(source=0, weights="weight")[0]),
        "along": known(arcs.distances(source=0, weights="weight", mode="out")[0]),
        "hops": [size - 1 for size in simple.neighborhood_size(order=2)],
        "forward": [size - 1 for size in arcs.neighborhood_size(order=2, mode="out")],
        "community": label_propagation(5),
        "common": common_neighbors(),
        "degree": arcs.outdegree(),
        "total": arcs.strength(mode="out", weights="weight"),
    },
    sys.stdout,
)
