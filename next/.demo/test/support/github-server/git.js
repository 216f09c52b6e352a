import { execFileSync, spawn } from 'node:child_process';
import { addPull } from './data.js';
const environment = { PATH: process.env.PATH ?? '', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
/** Answers a request for a bare repository below the folder, as GitHub does at `/OWNER/NAME.git`: by git's own program. */
export function serveGit(root, request, response) {
    const { pathname, search } = new URL(request.url ?? '', 'http://localhost');
    const { headers } = request;
    const env = {
        ...environment,
        ...{ GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1', GIT_PROTOCOL: String(headers['git-protocol'] ?? '') },
        ...{ REQUEST_METHOD: request.method ?? '', PATH_INFO: pathname, QUERY_STRING: search.slice(1) },
        CONTENT_TYPE: headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
    };
    const settings = ['-c', 'uploadpack.allowFilter=true', '-c', 'uploadpack.allowAnySHA1InWant=true'];
    const child = spawn('git', [...settings, 'http-backend'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
    child.stdin.on('error', () => { });
    request.pipe(child.stdin);
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.on('close', () => {
        const output = Buffer.concat(chunks);
        const end = output.indexOf('\r\n\r\n');
        for (const field of output.subarray(0, end).toString().split('\r\n')) {
            const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(field) ?? [];
            if (name === 'Status')
                response.statusCode = Number.parseInt(value, 10);
            else if (name !== '')
                response.setHeader(name, value);
        }
        response.end(output.subarray(end + 4));
    });
}
/** Opens a pull request of a branch of a real git repository: its head, its commits and its files with patches. */
export function addPullOfBranch(repository, gitDir, branch, given = {}) {
    const git = (...args) => execFileSync('git', ['--git-dir', gitDir, ...args], { encoding: 'utf8' });
    const base = given.base ?? repository.defaultBranch;
    const listed = git('log', '--reverse', '--format=%H %cI', `${base}..${branch}`).trim().split('\n').filter(Boolean);
    const commits = listed.map((line) => {
        const [sha = '', at = ''] = line.split(' ');
        return { sha, committedAt: new Date(at) };
    });
    const files = git('diff', '--name-status', '-M', '-z', `${base}...${branch}`).split('\0').slice(0, -1);
    const all = [];
    while (files.length > 0) {
        const letter = files.shift()?.[0] ?? 'M';
        const previous = letter === 'R' ? files.shift() : undefined;
        const filename = files.shift() ?? '';
        const text = git('diff', '-M', `${base}...${branch}`, '--', ...(previous ? [previous] : []), filename);
        const at = text.indexOf('\n@@ ');
        const patch = at < 0 ? undefined : text.slice(at + 1).replace(/\n$/, '');
        const count = (sign) => patch?.split('\n').filter((line) => line.startsWith(sign)).length ?? 0;
        const status = { A: 'added', D: 'removed', R: 'renamed' }[letter] ?? 'modified';
        all.push({
            ...{ filename, status, additions: count('+'), deletions: count('-') },
            ...(previous !== undefined && { previous_filename: previous }),
            ...(patch !== undefined && { patch }),
        });
    }
    const head = { branch, sha: git('rev-parse', branch).trim(), ...given.head };
    return addPull(repository, { ...given, head, files: all, commits });
}
