"""The table of options with which an ordinary program runs or writes something else.

One entry for a program, and one for `program sub-command` where only that has the option. The
programs are those that people allow with a wildcard. `docs/permissions.md` explains it, and a test
goes through every entry; how words are compared is `risks.py`'s.
"""

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Risks:
    """Options that run or write elsewhere.

    `letters` may stand anywhere in a group of short options, up to a letter of `valued`, which
    takes the rest of the group as its value. `words` are options compared whole, long ones also by
    their beginnings where the program `abbreviates`. `pattern` fits words anywhere, options or not.
    `bundle`: the first word is a group of short options even without a dash. `only_options`: a word
    without a dash can never be one of them.
    """

    letters: str = ""
    words: frozenset[str] = frozenset()
    valued: str = ""
    pattern: re.Pattern[str] | None = None
    bundle: bool = False
    abbreviates: bool = True
    only_options: bool = False


def _risks(
    letters: str = "",
    words: str = "",
    *,
    valued: str = "",
    pattern: str = "",
    bundle: bool = False,
    abbreviates: bool = True,
) -> Risks:
    compiled = re.compile(pattern, re.DOTALL) if pattern else None
    whole = frozenset(words.split())
    only_options = not pattern and not bundle and all(word.startswith("-") for word in whole)
    return Risks(letters, whole, valued, compiled, bundle, abbreviates, only_options)


# `ext::sh -c ...` and its like: a transport that is a program.
_TRANSPORT = r"[\w+.-]+::.*"
_VIM = _risks("cSswWuUi", "--cmd --startuptime -V", pattern=r"\+.*")
_COMPILER = _risks(
    "B", "-wrapper -specs -fplugin -o -dumpdir --specs --output", pattern=r"@.*|-fplugin.*|-o.+"
)
_REMOTE = _risks("oFSJEDLRwb", "")
_NPM = _risks(
    "C",
    "--script-shell --prefix --globalconfig --userconfig --node-options --shell --call -c --dir "
    "--cwd --registry --cache --modules-folder --use-yarnrc --init-module --git",
)
_PIP = _risks(
    "tierf",
    "--target --index-url --extra-index-url --find-links --prefix --root --src --log --editable "
    "--requirement --python --global-option --config-settings --build-option --report --cache-dir "
    "--trusted-host --proxy --cert",
)
_SQL_SHELL = _risks(
    "eofL", "--command --output --log-file --tee --pager --init-command", pattern=r"\\.*"
)

RISKS: Final[dict[str, Risks]] = {
    # Looking and searching.
    "find": _risks("", "-delete -fprint -fprint0 -fprintf -fls -exec -execdir -ok -okdir"),
    "fd": _risks("xX", "--exec --exec-batch", valued="eEtdjScI"),
    "rg": _risks("z", "--pre --hostname-bin --search-zip", valued="ABCEMTdefgjmrt"),
    "ag": _risks("z", "--pager --search-zip"),
    "sort": _risks(
        "oST", "--output --compress-program --temporary-directory --files0-from", valued="kt"
    ),
    "iconv": _risks("o", "--output", valued="ft"),
    "shuf": _risks("o", "--output --random-source", valued="in"),
    "split": _risks("", "--filter"),
    "tree": _risks("oR", "--output"),
    "file": _risks("Cmz", "--compile --magic-file --uncompress", valued="FePf"),
    "date": _risks("s", "--set", valued="dfrI", pattern=r"\d{8,12}(?:\.\d\d)?"),
    "less": _risks("oOkt", "--log-file --LOG-FILE --lesskey-file", pattern=r"\+.*"),
    "more": _risks("", "", pattern=r"\+.*"),
    "man": _risks("PH", "--pager --html"),
    "jq": _risks("fL", "--from-file"),
    "yq": _risks("if", "--inplace --from-file --split-exp -s"),
    # Scripts of `sed` and `awk` are looked into by themselves (`risks.py`).
    "sed": _risks("if", "--in-place --file", valued="el"),
    "awk": _risks(
        "feliEo",
        "--file --source --load --include --exec --dump-variables --pretty-print --profile -W",
        valued="Fv",
    ),
    "perl": _risks("eEiMmIxdDsS", ""),
    # Version control.
    "git": _risks(
        "",
        "-c --config-env --exec-path --git-dir --work-tree --super-prefix --namespace --paginate "
        "--upload-pack --receive-pack --output --ext-diff --textconv --filters --help "
        "--open-files-in-pager --exec --show-signature --output-directory --template "
        "--separate-git-dir --config --extcmd --tool --sendmail-cmd --smtp-server --gpg-sign",
        pattern=_TRANSPORT,
    ),
    "git grep": _risks("O", "", valued="ABCefm"),
    "git diff": _risks("", "", pattern=r"-O.+"),
    "git log": _risks("", "", pattern=r"-O.+"),
    "git rebase": _risks("xiX", "--interactive --strategy --exec", valued="sC"),
    "git difftool": _risks("xtg", "--gui"),
    "git mergetool": _risks("tg", "--gui"),
    "git merge": _risks("sS", "--strategy", valued="mFX"),
    "git pull": _risks("s", "--strategy", valued="X"),
    "git bisect": _risks("", "run visualize view"),
    "git submodule": _risks("", "foreach add update"),
    "git clone": _risks("cu", "", valued="bjo"),
    "git fetch": _risks("", "", valued="jo"),
    "git archive": _risks("o", "--remote"),
    "git format-patch": _risks("o", ""),
    "git config": _risks("fe", "--file --edit --global --system --add --replace-all --unset"),
    "git commit": _risks("S", "", valued="mFCct"),
    "git tag": _risks("su", "--sign --local-user", valued="mFn"),
    "git send-email": _risks("", "--to-cmd --cc-cmd --header-cmd"),
    "git worktree": _risks("", "add move"),
    "git bundle": _risks("", "create"),
    "git blame": _risks("", "--contents", valued="CLMS"),
    "git filter-branch": _risks("", "", pattern=r"--.*-filter"),
    "svn": _risks("", "--config-option --config-dir --editor-cmd --diff-cmd --diff3-cmd"),
    "hg": _risks("", "--config --cwd --repository -R"),
    # Building.
    "make": _risks(
        "fIE",
        "--eval --file --makefile --include-dir --environment-overrides",
        valued="CWjlo",
        pattern=r"[A-Za-z_.%][\w.%-]*\s*(?:::?:?|\+|\?|!)?=.*",
    ),
    "just": _risks("fd", "--justfile --working-directory --shell --shell-arg --set --command -c"),
    "cmake": _risks("PE", "--install --toolchain", pattern=r"-D.*|-C.*"),
    "ninja": _risks("ft", ""),
    "gcc": _COMPILER,
    "g++": _COMPILER,
    "cc": _COMPILER,
    "clang": _COMPILER,
    "rustc": _risks("oC", "--codegen --out-dir --emit"),
    "go": _risks(
        "",
        "-exec -toolexec -overlay -modfile -vettool -ldflags -gccgoflags -compiler -o -C "
        "-outputdir -cpuprofile -memprofile -blockprofile -mutexprofile -trace -coverprofile",
        pattern=r"--?(?:exec|toolexec|overlay|modfile|vettool|ldflags|gccgoflags|o|C)=.*",
    ),
    "cargo": _risks(
        "ZC",
        "--config --target-dir --manifest-path --out-dir --artifact-dir --root",
        abbreviates=False,
    ),
    "gradle": _risks("IbcgP", "--init-script --build-file --settings-file --project-cache-dir"),
    "mvn": _risks("fsDl", "--file --settings --log-file"),
    "pytest": _risks(
        "cop",
        "--basetemp --rootdir --confcutdir --override-ini --config-file --junitxml --junit-xml "
        "--log-file --debug --pastebin --pdbcls --cov-report --cov-config --resultlog --html",
        valued="kmnrW",
        abbreviates=False,
    ),
    "npm": _NPM,
    "npx": _NPM,
    "pnpm": _NPM,
    "yarn": _NPM,
    "bun": _risks("erp", "--eval --print --preload --require --cwd --config --outfile --outdir"),
    "pip": _PIP,
    "pip3": _PIP,
    "uv": _risks(
        "",
        "--directory --project --with --with-requirements --index-url --default-index --index "
        "--extra-index-url --python -p --config-file --target --prefix --env-file --cache-dir",
        abbreviates=False,
    ),
    # Interpreters.
    "python": _risks("cmix", "", valued="WX"),
    "python3": _risks("cmix", "", valued="WX"),
    "node": _risks(
        "epr",
        "--eval --print --require --import --loader --experimental-loader --env-file --run "
        "--redirect-warnings --cpu-prof-dir --heap-prof-dir --diagnostic-dir --build-snapshot "
        "--trace-event-file-pattern --test-reporter-destination --inspect --openssl-config",
        abbreviates=False,
    ),
    "deno": _risks(
        "Aecr", "--allow-all --allow-run --allow-write --eval --config --import-map --output"
    ),
    "ruby": _risks("erIixC", "--require"),
    "php": _risks("rBREFdzS", "--run --define"),
    "lua": _risks("eli", ""),
    # The network.
    "curl": _risks(
        "oODcTKJ",
        "--output --remote-name --remote-name-all --dump-header --cookie-jar --trace --trace-ascii "
        "--stderr --libcurl --etag-save --hsts --alt-svc --upload-file --config --output-dir "
        "--remote-header-name --create-dirs --unix-socket --abstract-unix-socket --proxy "
        "--preproxy --engine --form-string",
        valued="AEFHQUXYbdehmrtuwxyz",
        pattern=r".*%output\{.*|@.*|\w+=@.*|-[dF].*@.*",
    ),
    "wget": _risks(
        "OoaPeixBK",
        "--output-document --output-file --append-output --directory-prefix --input-file --execute "
        "--use-askpass --post-file --body-file --save-cookies --rejected-log --warc-file --config "
        "--warc-tempdir --hsts-file --protocol-directories --load-cookies --ca-certificate",
        valued="UQTtwlADRIX",
    ),
    "ssh": _REMOTE,
    "scp": _REMOTE,
    "sftp": _REMOTE,
    "rsync": _risks(
        "eT",
        "--rsh --rsync-path --log-file --partial-dir --backup-dir --temp-dir --write-batch "
        "--only-write-batch --daemon --config --files-from --remove-source-files --delete "
        "--early-input --password-file",
    ),
    # Archives.
    "tar": _risks(
        "IFCPgTK",
        "--to-command --use-compress-program --checkpoint-action --info-script --directory "
        "--new-volume-script --rsh-command --rmt-command --absolute-names --index-file "
        "--listed-incremental --volno-file --one-top-level --files-from --transform --xform "
        "--remove-files --exclude-from",
        valued="fbHNVXL",
        # An archive of another machine is fetched by a program.
        pattern=r"[\w.@-]+:.*",
        bundle=True,
    ),
    "zip": _risks("TbO", "-TT --unzip-command --temp-path --output-file --test --move -m -lf -la"),
    "unzip": _risks("d", ""),
    "7z": _risks("", "", pattern=r"-o.*|-w.*"),
    "gzip": _risks("S", "--suffix"),
    # Editors, databases, containers.
    "vim": _VIM,
    "vi": _VIM,
    "view": _VIM,
    "nvim": _VIM,
    "ex": _VIM,
    "emacs": _risks("fl", "--eval --execute --load --funcall --script --batch --insert --command"),
    "nano": _risks("C", "--backupdir --rcfile -f --operatingdir --speller -s", pattern=r"\+.*"),
    "ed": _risks("", "", pattern=r"!.*"),
    "psql": _SQL_SHELL,
    "mysql": _SQL_SHELL,
    "sqlite3": _risks(
        "", "-cmd -init --cmd --init", pattern=r"\..*|.*(?i:load_extension|writefile|edit\().*"
    ),
    "duckdb": _risks("cs", "-cmd -init", pattern=r"\..*|.*(?i:copy|install|load|attach)\s.*"),
    "openssl": _risks("", "-out -engine -config -provider-path -writerand -keyout -CAserial"),
    "gpg": _risks("o", "--output --homedir --options --keyserver --photo-viewer --agent-program"),
    "docker": _risks(
        "vH",
        "--volume --mount --privileged --device --pid --net --network --entrypoint --cap-add "
        "--security-opt --ipc --uts --userns --host --config --context --env-file --output -o "
        "--volumes-from --cgroupns --add-host --use-api-socket",
        valued="ewupnlhfmct",
        abbreviates=False,
    ),
    "kubectl": _risks(
        "fk",
        "--kubeconfig --filename --kustomize --token --server --as --context",
        abbreviates=False,
    ),
    "terraform": _risks(
        "",
        "-chdir -state -state-out -backup -out -var-file -plugin-dir",
        pattern=r"--?(?:chdir|state|state-out|backup|out|plugin-dir)=.*",
    ),
    "dd": _risks("", "", pattern=r"of=.*"),
    "patch": _risks("odrBi", "--output --directory --reject-file --prefix --input"),
    "install": _risks("tS", "--target-directory --strip-program --suffix", valued="gmo"),
    "strace": _risks("o", "--output"),
    "systemctl": _risks("HM", "--host --machine --root edit"),
}
for _same, _known in {
    "gawk": "awk",
    "mawk": "awk",
    "nawk": "awk",
    "gsed": "sed",
    "gmake": "make",
    "gtar": "tar",
    "bsdtar": "tar",
    "podman": "docker",
    "c++": "cc",
    "clang++": "cc",
    "gfind": "find",
    "pypy3": "python3",
    "fdfind": "fd",
    "rvim": "vim",
    "vimdiff": "vim",
}.items():
    RISKS[_same] = RISKS[_known]
