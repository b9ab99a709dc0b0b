"""The table of options with which an ordinary program runs or writes something else.

One entry for a program, and one for `program sub-command` where only that has the option. The
programs are those that people allow with a wildcard. `docs/permissions.md` explains it, and a test
goes through every entry; how words are compared is `risky_options.py`'s.
"""

from typing import Final

from dataagent_core.permissions.shell.risky_options import RiskyOptions, make_risks

# `ext::sh -c ...` and its like: a transport that is a program.
TRANSPORT = r"[\w+.-]+::.*"
_PAGER = make_risks(
    "oOktT",
    "--log-file --LOG-FILE --lesskey-file --lesskey-src --lesskey-content --cmd --tag --tag-file",
    pattern=r"\+.*",
)
_APT = make_risks("oc", "--option --config-file", valued="t")
_VIM = make_risks("cSswWuUiV", "--cmd --startuptime", pattern=r"\+.*")
_COMPILER = make_risks(
    "B", "-wrapper -specs -fplugin -o -dumpdir --specs --output", pattern=r"@.*|-fplugin.*|-o.+"
)
_REMOTE = make_risks("oFSJEDLRwb", "")
_NPM = make_risks(
    "C",
    "--script-shell --prefix --globalconfig --userconfig --node-options --shell --call -c --dir "
    "--cwd --registry --cache --modules-folder --use-yarnrc --init-module --git --logs-dir "
    "--viewer --editor --pnpmfile --global-pnpmfile",
)
_PIP = make_risks(
    "tierf",
    "--target --index-url --extra-index-url --find-links --prefix --root --src --log --editable "
    "--requirement --python --global-option --config-settings --build-option --report --cache-dir "
    "--trusted-host --proxy --cert",
)
_SQL_SHELL = make_risks(
    "ceofL",
    "--command --output --log-file --tee --pager --init-command",
    pattern=r"\\.*",
)

RISKS: Final[dict[str, RiskyOptions]] = {
    # Looking and searching.
    "find": make_risks("", "-delete -fprint -fprint0 -fprintf -fls -exec -execdir -ok -okdir"),
    "fd": make_risks("xX", "--exec --exec-batch", valued="eEtjSc"),
    "rg": make_risks("z", "--pre --hostname-bin --search-zip", valued="ABCEMTdefgjmrt"),
    "ag": make_risks("z", "--pager --search-zip"),
    "sort": make_risks(
        "oST", "--output --compress-program --temporary-directory --files0-from", valued="kt"
    ),
    # `@file` holds more options.
    "nm": make_risks(words="--plugin", pattern=r"@.*"),
    "objdump": make_risks(words="--plugin", pattern=r"@.*"),
    "size": make_risks(pattern=r"@.*"),
    # The name of a service may be the path of a library.
    "getent": make_risks("s", "--service"),
    "iconv": make_risks("o", "--output", valued="ft"),
    "shuf": make_risks("o", "--output --random-source", valued="in"),
    "split": make_risks("", "--filter"),
    "tree": make_risks("oR", "--output"),
    "file": make_risks(
        "CmzZ", "--compile --magic-file --uncompress --uncompress-noreport", valued="FePf"
    ),
    "date": make_risks("s", "--set", valued="dfrI", pattern=r"\d{8,12}(?:\.\d\d)?"),
    "less": _PAGER,
    "more": _PAGER,
    "man": make_risks("PHC", "--pager --html --config-file"),
    "jq": make_risks("fL", "--from-file"),
    "yq": make_risks("if", "--inplace --from-file --split-exp -s"),
    # Scripts of `sed` and `awk` are looked into by themselves (`risks.py`).
    "sed": make_risks("if", "--in-place --file", valued="el"),
    "awk": make_risks(
        "feliEo",
        "--file --source --load --include --exec --dump-variables --pretty-print --profile -W",
        valued="Fv",
    ),
    "perl": make_risks("eEiMmIxdDsS", ""),
    # Version control.
    "git": make_risks(
        "",
        "--config-env --exec-path --git-dir --work-tree --super-prefix --namespace --paginate "
        "--upload-pack --receive-pack --output --ext-diff --textconv --filters --help "
        "--open-files-in-pager --exec --show-signature --output-directory --template "
        "--separate-git-dir --config --extcmd --tool --sendmail-cmd --smtp-server --gpg-sign "
        "--strategy",
        pattern=TRANSPORT,
        leading="-c",
    ),
    "git grep": make_risks("O", "", valued="ABCefm"),
    "git diff": make_risks("", "", pattern=r"-O.+"),
    "git log": make_risks("", "", pattern=r"-O.+"),
    "git rebase": make_risks("xiXs", "--interactive --exec", valued="C"),
    "git difftool": make_risks("xtg", "--gui"),
    "git mergetool": make_risks("tg", "--gui"),
    "git merge": make_risks("sS", valued="mFX"),
    "git pull": make_risks("s", valued="X"),
    "git hook": make_risks("", "run"),
    "git help": make_risks("w", "--web"),
    "git bugreport": make_risks("o"),
    "git diagnose": make_risks("o"),
    "git mailsplit": make_risks("o"),
    "git index-pack": make_risks("o"),
    "git instaweb": make_risks("", "instaweb"),
    "git for-each-repo": make_risks("", "--config"),
    "git checkout-index": make_risks("", "--prefix"),
    "git fast-export": make_risks("", "--export-marks"),
    "git fast-import": make_risks("", "--export-marks --export-pack-edges"),
    "git bisect": make_risks("", "run visualize view"),
    "git submodule": make_risks("", "foreach add update"),
    "git clone": make_risks("cu", "", valued="bjo"),
    "git fetch": make_risks("", "", valued="jo"),
    "git archive": make_risks("o", "--remote"),
    "git format-patch": make_risks("o", ""),
    "git config": make_risks(
        "fe",
        "--file --edit --global --system --add --replace-all --unset "
        "--unset-all --rename-section --remove-section",
    ),
    "git commit": make_risks("S", "", valued="mFCct"),
    "git tag": make_risks("su", "--sign --local-user", valued="mFn"),
    "git send-email": make_risks("", "--to-cmd --cc-cmd --header-cmd"),
    "git worktree": make_risks("", "add move"),
    "git bundle": make_risks("", "create"),
    "git blame": make_risks("", "--contents", valued="CLMS"),
    "git filter-branch": make_risks("", "", pattern=r"--.*-filter.*"),
    "svn": make_risks("", "--config-option --config-dir --editor-cmd --diff-cmd --diff3-cmd"),
    "hg": make_risks("", "--config --cwd --repository -R"),
    # Building.
    "make": make_risks(
        "fIEe",
        "--eval --file --makefile --include-dir --environment-overrides",
        valued="CWjlo",
        pattern=r"[A-Za-z_.%][\w.%-]*\s*(?:::?:?|\+|\?|!)?=.*",
    ),
    "just": make_risks(
        "fd", "--justfile --working-directory --shell --shell-arg --set --command -c"
    ),
    "cmake": make_risks("PE", "--install --toolchain", pattern=r"-D.*|-C.*"),
    "ninja": make_risks("ft", ""),
    "gcc": _COMPILER,
    "g++": _COMPILER,
    "cc": _COMPILER,
    "clang": _COMPILER,
    "rustc": make_risks("oC", "--codegen --out-dir --emit"),
    "go": make_risks(
        # With one dash or with two, the value behind a sign or in the next word.
        pattern=r"--?(?:exec|toolexec|overlay|modfile|vettool|ldflags|gccgoflags|compiler|pkgdir|o"
        r"|C|outputdir|(?:cpu|mem|block|mutex|cover)profile|trace)(?:=.*)?",
    ),
    "cargo": make_risks(
        "ZC",
        "--config --target-dir --manifest-path --out-dir --artifact-dir --root",
        abbreviates=False,
    ),
    "gradle": make_risks("IbcgP", "--init-script --build-file --settings-file --project-cache-dir"),
    "mvn": make_risks("fsDl", "--file --settings --log-file"),
    "pytest": make_risks(
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
    "bun": make_risks(
        "erp", "--eval --print --preload --require --cwd --config --outfile --outdir"
    ),
    "pip": _PIP,
    "pip3": _PIP,
    "uv": make_risks(
        "",
        "--directory --project --with --with-requirements --index-url --default-index --index "
        "--extra-index-url --python -p --config-file --target --prefix --env-file --cache-dir",
        abbreviates=False,
    ),
    # Interpreters.
    "python": make_risks("cmix", "", valued="WX"),
    "python3": make_risks("cmix", "", valued="WX"),
    "node": make_risks(
        "epr",
        "--eval --print --require --import --loader --experimental-loader --env-file --run "
        "--redirect-warnings --cpu-prof-dir --heap-prof-dir --diagnostic-dir --build-snapshot "
        "--trace-event-file-pattern --test-reporter-destination --inspect --openssl-config",
        abbreviates=False,
    ),
    "deno": make_risks(
        "Aecr", "eval --allow-all --allow-run --allow-write --eval --config --import-map --output"
    ),
    "ruby": make_risks("erIixC", "--require"),
    "php": make_risks("rBREFdzS", "--run --define"),
    "lua": make_risks("eli", ""),
    # The network.
    "curl": make_risks(
        "oODcTKJx",
        "--output --remote-name --remote-name-all --dump-header --cookie-jar --trace --trace-ascii "
        "--stderr --libcurl --etag-save --hsts --alt-svc --upload-file --config --output-dir "
        "--remote-header-name --create-dirs --unix-socket --abstract-unix-socket --proxy "
        "--preproxy --engine --form-string --ssl-sessions",
        valued="AEFHQUXYbdehmrtuwyz",
        pattern=r".*%output\{.*|@.*|\w+=@.*|-[dFw].*@.*",
    ),
    "wget": make_risks(
        "OoaPeixBK",
        "--output-document --output-file --append-output --directory-prefix --input-file --execute "
        "--use-askpass --post-file --body-file --save-cookies --rejected-log --warc-file --config "
        "--warc-tempdir --hsts-file --protocol-directories --load-cookies --ca-certificate",
        valued="UQTtwlADRIX",
    ),
    "ssh": _REMOTE,
    "scp": _REMOTE,
    "sftp": _REMOTE,
    "rsync": make_risks(
        "eT",
        "--rsh --rsync-path --log-file --partial-dir --backup-dir --temp-dir --write-batch "
        "--only-write-batch --daemon --config --files-from --remove-source-files --delete "
        "--early-input --password-file",
    ),
    # Archives.
    "tar": make_risks(
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
    "zip": make_risks(
        "TbO", "-TT --unzip-command --temp-path --output-file --test --move -m -lf -la"
    ),
    "unzip": make_risks("d", ""),
    "7z": make_risks("", "", pattern=r"-o.*|-w.*"),
    "gzip": make_risks("S", "--suffix"),
    # Editors, databases, containers.
    "vim": _VIM,
    "vi": _VIM,
    "view": _VIM,
    "nvim": _VIM,
    "ex": _VIM,
    "emacs": make_risks(
        "fl", "--eval --execute --load --funcall --script --batch --insert --command"
    ),
    "nano": make_risks("C", "--backupdir --rcfile -f --operatingdir --speller -s", pattern=r"\+.*"),
    "ed": make_risks("", "", pattern=r"!.*"),
    "psql": _SQL_SHELL,
    "mysql": _SQL_SHELL,
    "sqlite3": make_risks(
        "", "-cmd -init --cmd --init", pattern=r"\..*|.*(?i:load_extension|writefile|edit\().*"
    ),
    "duckdb": make_risks("cs", "-cmd -init", pattern=r"\..*|.*(?i:copy|install|load|attach)\s.*"),
    "openssl": make_risks("", "-out -engine -config -provider-path -writerand -keyout -CAserial"),
    "gpg": make_risks(
        "o", "--output --homedir --options --keyserver --photo-viewer --agent-program"
    ),
    "docker": make_risks(
        "vH",
        "--volume --mount --privileged --device --pid --net --network --entrypoint --cap-add "
        "--security-opt --ipc --uts --userns --host --config --context --env-file --output -o "
        "--volumes-from --cgroupns --add-host --use-api-socket",
        valued="ewuphmc",
        abbreviates=False,
    ),
    "kubectl": make_risks(
        "fk",
        "--kubeconfig --filename --kustomize --token --server --as --context",
        abbreviates=False,
    ),
    "terraform": make_risks(
        "",
        "-chdir -state -state-out -backup -out -var-file -plugin-dir",
        pattern=r"--?(?:chdir|state|state-out|backup|out|plugin-dir)=.*",
    ),
    # Package managers of systems.
    "apt": _APT,
    "apt-get": _APT,
    "dpkg": make_risks(
        "",
        "--pre-invoke --post-invoke --status-logger --root --admindir --instdir --log",
        abbreviates=False,
    ),
    "rpm": make_risks(
        "ED",
        "--pipe --eval --define --predefine --undefine --macros --rcfile --load --root --dbpath",
    ),
    "gem": make_risks("", "--config-file --install-dir --bindir --build-root"),
    # Checkers and test runners: code that a configuration or a plugin names.
    "mypy": make_risks("", "--config-file --python-executable --junit-xml --cache-dir"),
    "ruff": make_risks("o", "--config --output-file --cache-dir", abbreviates=False),
    "eslint": make_risks(
        "co", "--config --rulesdir --plugin --parser --resolve-plugins-relative-to --output-file"
    ),
    "prettier": make_risks("", "--plugin --config --plugin-search-dir"),
    "jest": make_risks(
        "c", "--config --globalSetup --setupFiles --runner --reporters --outputFile"
    ),
    "vitest": make_risks("c", "--config --globalSetup --reporter --outputFile --root"),
    "tsc": make_risks("p", "--project --outDir --outFile --build -b"),
    "tox": make_risks("c", "--conf --override -x --workdir"),
    "nox": make_risks("f", "--noxfile --envdir"),
    "pre-commit": make_risks("c", "--config"),
    "pylint": make_risks("", "--init-hook --load-plugins --rcfile --output", abbreviates=False),
    "flake8": make_risks("", "--config --append-config --output-file --tee --require-plugins"),
    "mocha": make_risks("r", "--require --config --file --import --loader --node-option"),
    "ts-node": make_risks("epr", "--eval --print --require --project --compiler"),
    "tsx": make_risks("epr", "--eval --print --require --import --tsconfig"),
    "webpack": make_risks("co", "--config --output-path --require"),
    "rollup": make_risks("copd", "--config --plugin --file --dir --configPlugin"),
    "vite": make_risks("c", "--config --outDir"),
    "esbuild": make_risks("", "--outfile --outdir --metafile --tsconfig --servedir"),
    "babel": make_risks("od", "--config-file --plugins --presets --out-file --out-dir --require"),
    "phpunit": make_risks("c", "--bootstrap --configuration --log-junit --extension"),
    "rake": make_risks("feErR", "--rakefile --execute --require --rakelibdir"),
    "mix": make_risks("erS", "--eval --require", abbreviates=False),
    "bazel": make_risks(
        "",
        "--run_under --workspace_status_command --output_base --bazelrc --override_repository "
        "--action_env --host_jvm_args --sandbox_writable_path --output_user_root",
        abbreviates=False,
    ),
    "sphinx-build": make_risks("cCDd", "--define --conf-dir --doctree-dir"),
    # Others that are told by an option to run or write something.
    "helm": make_risks(
        "f",
        "--post-renderer --kubeconfig --kube-context --registry-config --output-dir --values",
        abbreviates=False,
    ),
    "ansible": make_risks("aeiMm", "--args --extra-vars --inventory --module-path --module-name"),
    "ansible-playbook": make_risks(
        "eiM", "--extra-vars --inventory --module-path --ssh-common-args"
    ),
    **dict.fromkeys(
        ("pdflatex", "xelatex", "lualatex", "latex", "tex"),
        make_risks(
            "",
            "-shell-escape --shell-escape -enable-write18 -output-directory --output-directory "
            "-jobname -fmt -ini -lua --lua",
            pattern=r"-+(?:output-directory|jobname|fmt|lua)=.*|.*\\.*",
        ),
    ),
    "latexmk": make_risks("re", pattern=r"-+(?:pdf|x|lua)?latex=.*|-outdir=.*"),
    "gs": make_risks("oc", "-dNOSAFER", pattern=r"-sOutputFile=.*|--permit.*"),
    "ctags": make_risks("of", "--options --output"),
    "ssh-keygen": make_risks("DfyY"),
    "xmllint": make_risks("o", "--output --shell --path"),
    "dc": make_risks("ef", "--expression --file"),
    "pandoc": make_risks("Fo", "--filter --lua-filter --pdf-engine --output --defaults -d -L"),
    "protoc": make_risks(pattern=r"--(?:plugin|\w+_out).*|@.*"),
    "nc": make_risks("ec", "--exec --sh-exec --output"),
    "tcpdump": make_risks("wzZ"),
    "bat": make_risks(words="--pager --config-file"),
    "java": make_risks(pattern=r"-javaagent.*|-agent.*|-XX:On.*|@.*"),
    "Rscript": make_risks("e"),
    "julia": make_risks("eELp", "--eval --print --load"),
    "dd": make_risks("", "", pattern=r"of=.*"),
    "patch": make_risks("odrBi", "--output --directory --reject-file --prefix --input"),
    "install": make_risks("tS", "--target-directory --strip-program --suffix", valued="gmo"),
    "strace": make_risks("o", "--output"),
    "systemctl": make_risks("HM", "--host --machine --root edit"),
}
SAME_PROGRAMS: Final = {
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
    "ncat": "nc",
    "netcat": "nc",
    "batcat": "bat",
}
RISKS.update((same, RISKS[known]) for same, known in SAME_PROGRAMS.items())
