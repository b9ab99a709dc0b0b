"""Command lines that people's agents type while they look around: none changes anything.

They were written from what agents do in real projects, by program; a few are the questions of the
issue that measured false asks. `test_honest_lines.py` counts how many are asked about.
"""

from honest_more import MORE

_FIRST = r"""
ls
ls -la
ls -la src/ tests/
ls -lah --color=never
ls -1 | wc -l
ls -R src | head -50
ls *.md
ls -d */
ls -lt | head
ls src 2>/dev/null
ls -la && pwd
pwd
pwd && ls -la
cat README.md
cat package.json | head -40
cat -n src/main.py
cat pyproject.toml setup.cfg 2>/dev/null
cat src/*.py | wc -l
cat .gitignore
cat a.json | jq .
cat /etc/os-release
head -50 src/app.ts
head -n 20 README.md
head -c 200 data.bin
tail -n 100 logs/app.log
tail -20 CHANGELOG.md
tail -n +10 a.txt | head -n 5
wc -l src/*.py
wc -l < a.txt
wc -w README.md
find . -name '*.py' -type f
find . -type f -name "*.ts" -not -path "*/node_modules/*"
find . -maxdepth 2 -type d
find src -name '*.test.js' | head -20
find . -type f -size +1M
find . -name '*.py' -newer setup.py
find . -name '*.py' | xargs wc -l
find . -name '*.go' -print0 | xargs -0 grep -l context
find . -type f \( -name '*.js' -o -name '*.ts' \) | sort
find . -name node_modules -prune -o -type f -print | wc -l
find . -name '*.py' -exec grep -l import {} +
find . -name '*.py' -exec wc -l {} \;
find / -name libssl.so 2>/dev/null
find . -mtime -7 -type f -printf '%T@ %p\n' | sort -rn | head
grep -rn TODO src
grep -rn "def main" --include='*.py' .
grep -rnE 'class \w+\(' src | head -30
grep -c import src/app.py
grep -l useState src/*.tsx
grep -v '^#' config.ini
grep -i error logs/app.log | tail -20
grep -A 5 -B 2 "raise ValueError" src/a.py
grep -rIl password . --exclude-dir=.git
grep -oE '[0-9]+\.[0-9]+\.[0-9]+' package.json
grep -rn 'foo|bar' . 2>/dev/null | wc -l
grep -q pytest pyproject.toml && echo yes || echo no
grep -n '\$HOME' a.sh
grep -rn "TODO\|FIXME" src/
rg TODO
rg -n 'def \w+' src
rg -l useEffect -g '*.tsx'
rg -tpy 'import os' --stats
rg --files | head
rg -i -C3 'connection refused' logs
rg --json foo src
rg -uu secret_key -g '!node_modules'
fd -e py
fd main src
tree -L 2
tree -a -I 'node_modules|.git'
tree src --dirsfirst
awk '{print $1}' a.txt
awk '$3 > 100' data.tsv
awk -F ',' '{print $2}' a.csv
awk -F: '{print $1}' users.txt
awk 'NR==10,NR==20' a.py
awk '{sum += $1} END {print sum}' nums.txt
awk '{s+=$1} END {print s/NR}' nums.txt
awk '/error/ {print $0}' app.log
awk '/start/,/end/' app.log
awk 'length > 80' src/a.py
awk -F'\t' 'NR > 1 && $2 == "x" {c++} END {print c}' a.tsv
awk '!seen[$0]++' a.txt
awk '{count[$1]++} END {for (k in count) print count[k], k}' access.log | sort -rn
awk -v n=3 'NR == n' a.txt
awk '{printf "%s %d\n", $1, $2}' a.txt
awk 'BEGIN {FS=","} {print $1}' a.csv
awk '{print ($1 + $2) / 2}' a.txt
awk '/a|b/' a.txt
awk '$1 ~ /^[0-9]+$/ {print $2}' a.txt
awk 'NF' a.txt
awk 'NR <= 3' a.txt
sed -n '1,20p' a.py
sed -n '/a/,/b/p' a.txt
sed -n 5p a.txt
sed -n '10,$p' a.txt
sed 's/foo/bar/g' a.txt
sed -e 's/a/b/' -e 's/c/d/' a.txt
sed -E 's/([a-z]+)@.*/\1/' mails.txt
sed '/^#/d' config.ini
sed '/^\s*$/d' a.txt
sed -n '/def main/,/^$/p' a.py
sed 's|/usr|/opt|' a.txt
sed -n '$=' a.txt
sed -n '/TODO/{=;p}' a.txt
sed ':a;N;$!ba;s/\n/ /g' a.txt
sed -ne '1,5p' a.txt
sed 1d a.csv | head
sed -n 1p src/*.py
awk 'FNR == 1' *.csv
sort logs/*.txt | uniq -c
find . -name *.py
git diff -- src/*.py
sed '2q' a.txt
sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml
git status
git status --short
git status --porcelain=v1 -b
git log --oneline -10
git log -GTODO
git log -S'def main' --oneline
git log --graph --all --decorate --oneline | head -40
git log -p -2 -- src/a.py
git log --since='2 weeks ago' --author=me --pretty=format:'%h %s'
git log main..HEAD --stat
git log -1 --format=%H
git log --follow -- a.py
git log -L 10,20:a.py
git --no-pager log -n 5
git diff
git diff --stat
git diff HEAD~1 -- a.py
git diff --cached
git diff main...HEAD --name-only
git diff --name-status origin/main
git diff --word-diff a.md
git show HEAD
git show HEAD:src/a.py
git show --stat abc123
git blame -L 10,20 src/a.py
git blame src/a.py | head
git branch
git branch -a
git branch --contains HEAD
git branch -vv
git branch --merged main
git branch --show-current
git branch -r --sort=-committerdate
git tag -l 'v*'
git tag --sort=-creatordate | head
git remote -v
git remote get-url origin
git stash list
git stash show -p
git rev-parse HEAD
git rev-parse --show-toplevel
git rev-parse --abbrev-ref HEAD
git ls-files | wc -l
git ls-files '*.py'
git ls-tree -r HEAD --name-only
git describe --tags
git shortlog -sn
git merge-base main HEAD
git grep -n TODO
git grep -l 'import os' -- '*.py'
git config --get user.name
git config --list
git reflog -5
git worktree list
git -C sub status
git cat-file -p HEAD
git rev-list --count HEAD
git check-ignore -v build
jq . package.json
jq .environment config.json
jq '.scripts' package.json
jq -r '.dependencies | keys[]' package.json
jq '.[] | select(.age > 30) | .name' people.json
jq -c '.items[0]' a.json
jq 'length' a.json
jq 'select(.type == "env")' a.json
jq 'to_entries[] | "\(.key)=\(.value)"' a.json
go env GOPATH
go list ./...
pip list
npm ls --depth=0
cargo tree
git config user.email
ps aux | grep node
tar -tzf a.tgz
unzip -l a.zip
while IFS= read -r f; do wc -l "$f"; done < files.txt
[ -z "$(git status --porcelain)" ] && echo clean
x=$(git rev-parse HEAD); echo "$x"
jq -r '.env.PATH' a.json
jq --arg n x '.[$n]' a.json
cat a.json | jq -r '.[].name' | sort -u
node -v
node --version
npm -v
npm --version
python -V
python3 --version
pip --version
go version
cargo --version
rustc -V
java -version
ruby -v
git --version
docker --version
sort a.txt
sort -u a.txt
sort -t, -k2 -n a.csv
sort -k2,2nr a.txt | head
sort -rn sizes.txt
uniq -c a.txt
sort a | uniq -c | sort -rn | head
sort a.txt | uniq -d
cut -d, -f1 a.csv
cut -d: -f1,3 users.txt | sort
cut -c1-80 a.txt
tr 'a-z' 'A-Z' < a.txt
cat a.txt | tr -d '\r' | head
diff a.txt b.txt
diff -u old.py new.py
diff -rq src lib
diff <(sort a.txt) <(sort b.txt)
cmp a.bin b.bin
comm -12 a.txt b.txt
paste -d, a.txt b.txt
du -sh .
du -sh * | sort -h
du -h --max-depth=1 src
df -h
df -h .
stat src/a.py
stat -c '%s %n' *.py
file a.bin
file src/*
date
date +%Y-%m-%d
date -u
date -d yesterday +%F
basename /a/b/c.txt
dirname src/a/b.py
realpath src
readlink -f a
which python3
which node npm
command -v python3
type ls
uname -a
whoami
id
nproc
echo hello
echo "hello world"
echo "exit: $?"
echo -e 'a\nb'
echo '---'
echo $((1 + 2))
printf '%s\n' a b c
printf 'hello\n'
seq 1 10
md5sum a.bin
sha256sum dist/*.whl
od -c a.bin | head
hexdump -C a.bin | head -5
strings a.bin | head
column -t -s, a.csv
nl -ba src/a.py | sed -n '10,30p'
test -f package.json && echo yes
[ -f package.json ] && cat package.json
[ -d node_modules ] || echo missing
[ -n "$CI" ] && echo ci
if [ -f a.py ]; then echo yes; else echo no; fi
[[ -f a.py ]] && echo yes
for f in *.py; do echo "$f"; done
for f in src/*.py; do wc -l "$f"; done
for i in 1 2 3; do echo $i; done
while read -r line; do echo "$line"; done < a.txt
cd src && ls -la
cd src && grep -rn TODO . | head
cd /tmp && pwd
cd frontend && cat package.json | jq .scripts
ls -la; git status; git log --oneline -5
git status && git diff --stat
git log --oneline | head -5 && git status --short
cat a.txt | grep foo | sort | uniq -c | sort -rn | head -20
git log --format='%an' | sort | uniq -c | sort -rn
git ls-files | xargs wc -l | tail -1
git ls-files | grep '\.py$' | xargs grep -n TODO
ls node_modules | grep react
cat requirements.txt | grep -v '^#' | cut -d= -f1
grep -rn foo . | awk -F: '{print $1}' | sort -u
find . -name '*.py' | head -5 | xargs head -20
tail -n 50 app.log | grep -i error
echo "== status"; git status --short; echo "== log"; git log --oneline -3
timeout 10 git log --oneline
time ls
LC_ALL=C sort a.txt
bash -c 'ls -la | head'
sh -c 'ls; pwd'
xargs -n 1 echo < a.txt
printf '%s\n' *.py | wc -l
""".strip("\n").split("\n")

HONEST = [*_FIRST, *MORE]
