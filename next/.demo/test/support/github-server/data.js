import { randomBytes } from 'node:crypto';
let lastId = 1_000;
export function nextId() {
    return ++lastId;
}
export function newSha() {
    return randomBytes(20).toString('hex');
}
export function emptyData() {
    const [tokens, codes, installations] = [new Map(), new Map(), new Map()];
    return { tokens, codes, installations, repositories: [], deliveries: [], signsIn: null };
}
export function addRepository(data, given = {}) {
    const { roles = {}, ...changed } = given;
    const id = nextId();
    const repository = {
        ...{ id, owner: 'acme', name: `shop-${id}`, isPrivate: false, defaultBranch: 'main', parent: null },
        ...{ roles: new Map(Object.entries(roles)), files: new Map(), pulls: [], checkRuns: [], hasAutomaticSuites: true },
        ...changed,
    };
    data.repositories.push(repository);
    return repository;
}
/** Opens a pull request; by default of a member, from a branch of the same repository, with one commit. */
export function addPull(repository, given = {}) {
    const number = given.number ?? Math.max(0, ...repository.pulls.map((pull) => pull.number)) + 1;
    const at = new Date();
    const { id, owner, defaultBranch } = repository;
    const head = { owner, branch: `branch-${number}`, sha: newSha(), repositoryId: id, ...given.head };
    const pull = {
        ...{ title: `Change ${number}`, body: null, author: 'bob', association: 'MEMBER', state: 'open', isDraft: false },
        ...{ base: defaultBranch, openedAt: at, updatedAt: at, closedAt: null, mergedAt: null, files: [] },
        commits: [{ sha: head.sha, committedAt: at }],
        ...given,
        ...{ number, head },
    };
    repository.pulls.push(pull);
    return pull;
}
/** Ends a pull request, as GitHub's buttons do. */
export function closePull(pull, isMerged) {
    const at = new Date();
    Object.assign(pull, { state: 'closed', updatedAt: at, closedAt: at, mergedAt: isMerged ? at : null });
}
/** Installs the App, by default with all permissions that it asks for. */
export function addInstallation(data, given) {
    const all = data.repositories.filter(({ owner }) => owner === given.account).map(({ id }) => id);
    const permissions = { metadata: 'read', contents: 'read', pull_requests: 'read', checks: 'write' };
    const installation = { id: nextId(), repositories: all, permissions, isSuspended: false, ...given };
    data.installations.set(installation.id, installation);
    return installation;
}
/** A modified file of which these old lines are replaced, with a patch as GitHub writes it, without context. */
export function modified(filename, ...ranges) {
    let shift = 0;
    const hunks = ranges.map(([first, last]) => {
        const count = last - first + 1;
        const start = count === 0 ? first - 1 : first;
        const lines = Array.from({ length: count }, (_, index) => first + index);
        const added = count === 0 ? ['+new'] : lines.map((line) => `+new ${line}`);
        const head = `@@ -${start},${count} +${first + shift},${added.length} @@`;
        shift += added.length - count;
        return [head, ...lines.map((line) => `-old ${line}`), ...added].join('\n');
    });
    const patch = hunks.join('\n');
    const countOf = (sign) => patch.split('\n').filter((line) => line.startsWith(sign)).length;
    return { filename, status: 'modified', additions: countOf('+'), deletions: countOf('-'), patch };
}
