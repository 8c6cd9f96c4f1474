//! How each package is built and tried.

/// A Debian source package. The scripts run in a copy of its source tree with `sh -e`; `CC` and `CFLAGS` are in the environment.
pub struct Recipe {
    /// The name of the source package.
    pub name: &'static str,
    /// Makes the products.
    pub build: &'static str,
    /// The linked files whose models are checked.
    pub products: &'static [&'static str],
    /// Uses the programs. What it prints is the same whichever compiler built them.
    pub trial: &'static str,
}

// The manuals need more programs than a compiler, and nobody reads them.
const CONFIGURE_AND_MAKE: &str = "./configure\nmake -j2 MAKEINFO=true";

/// The packages, smallest first.
pub const RECIPES: &[Recipe] = &[
    Recipe {
        name: "bchunk",
        build: r#"make CC="$CC" LD="$CC" CFLAGS="$CFLAGS""#,
        products: &["bchunk"],
        trial: r#"
            head -c 47040 bchunk.c > t.bin; truncate -s 47040 t.bin
            printf 'FILE "t.bin" BINARY\n TRACK 01 MODE1/2352\n INDEX 01 00:00:00\n TRACK 02 AUDIO\n INDEX 01 00:00:10\n' > t.cue
            ./bchunk -v -w t.bin t.cue t-
            cksum t-*"#,
    },
    Recipe {
        name: "ncompress",
        build: r#"make CC="$CC" CFLAGS="$CFLAGS""#,
        products: &["compress"],
        trial: r#"
            ./compress < compress42.c > t.Z
            cksum t.Z
            ./compress -d < t.Z | cmp - compress42.c && echo same
            ./compress -V"#,
    },
    Recipe {
        name: "jhead",
        build: r#"make CC="$CC" CFLAGS="$CFLAGS""#,
        products: &["jhead"],
        trial: r#"
            ./jhead -v tests/*.jpg
            cp tests/comments.jpg t.jpg
            ./jhead -purejpg -cl frog t.jpg
            cksum t.jpg
            ./jhead -h || true"#,
    },
    Recipe {
        name: "bzip2",
        build: r#"make -j2 libbz2.a bzip2 bzip2recover CC="$CC" CFLAGS="$CFLAGS -D_FILE_OFFSET_BITS=64""#,
        products: &["bzip2", "bzip2recover", "libbz2.so"],
        trial: r#"
            export LD_LIBRARY_PATH=.
            for n in 1 2 3; do ./bzip2 -$n < sample$n.ref | cmp - sample$n.bz2 && ./bzip2 -d < sample$n.bz2 | cmp - sample$n.ref && echo same; done
            ./bzip2 -tvv sample1.bz2
            ./bzip2recover sample1.bz2
            cksum rec*"#,
    },
    Recipe {
        name: "zlib",
        build: CONFIGURE_AND_MAKE,
        products: &["minigzip", "example", "libz.so"],
        trial: r#"
            export LD_LIBRARY_PATH=.
            ./example t.gz
            ./minigzip < deflate.c > t.gz
            ./minigzip -d < t.gz | cmp - deflate.c && echo same
            tail -c +11 t.gz | cksum"#,
    },
    Recipe {
        name: "less",
        build: CONFIGURE_AND_MAKE,
        products: &["less", "lesskey", "lessecho"],
        trial: r#"
            ./less --version
            ./less less.h | cksum
            ./less -N +/int -p int less.h < /dev/null | cksum
            ./lessecho -p0x22 -d0x22 'a b' c
            ./lesskey --version"#,
    },
    Recipe {
        name: "gzip",
        build: CONFIGURE_AND_MAKE,
        products: &["gzip"],
        trial: r#"
            ./gzip -n9 < gzip.c > t.gz
            cksum t.gz
            ./gzip -d < t.gz | cmp - gzip.c && echo same
            ./gzip -lv < t.gz
            ./gzip -t < NEWS || echo refused"#,
    },
    Recipe {
        name: "lua5.4",
        // Debian's own makefile needs a libtool script; the one it patches is the author's.
        build: r#"
            cp .pc/0001-build-system.patch/src/Makefile src
            echo '#define DEB_HOST_MULTIARCH "here"' > src/lua5.4-deb-multiarch.h
            make -j2 -C src all CC="$CC" CFLAGS="$CFLAGS -DLUA_USE_LINUX -DLUA_COMPAT_5_3" LIBS="-lm -ldl" LDFLAGS=-Wl,-E"#,
        products: &["src/lua", "src/luac"],
        trial: r#"
            cat > t.lua <<'END'
            local words = {}
            for word in ("the quick brown fox jumps over the lazy dog"):gmatch("%a+") do words[#words + 1] = word end
            table.sort(words)
            print(table.concat(words, " "), #words, 7 // 2, 7 / 2, 2^53, 1 << 62, math.type(3.0))
            local co = coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i * i) end end)
            print(co(), co(), co(), pcall(error, { code = 1 }), string.format("%5.2f|%q", math.pi, "a\nb"))
            goto done
            do print "skipped" end
            ::done:: print(select('#', table.unpack({ 1, nil, 3 }, 1, 3)), utf8.char(955), load("return 1 +"))
END
            src/lua t.lua
            src/luac -o t.luac t.lua
            src/lua t.luac
            src/luac -l -p t.lua | sed 's/0x[0-9a-f]*//g' | cksum"#,
    },
    Recipe {
        name: "sed",
        build: CONFIGURE_AND_MAKE,
        products: &["sed/sed"],
        trial: r#"
            printf 'one two\nthree four\n' > t
            sed/sed -n -E 's/(\w+) (\w+)/\2 \1/gp; $=' t
            sed/sed --posix -e '1!G;h;$!d' t
            sed/sed -s 'y/abc/xyz/;2i\inserted' t
            sed/sed --debug 's/o*/x/2;t;l 5' t
            sed/sed 's/unterminated' t || echo refused"#,
    },
    Recipe {
        name: "sqlite3",
        build: "./configure --disable-shared --disable-tcl\nmake -j2 sqlite3",
        products: &["sqlite3"],
        trial: r#"
            cat > t.sql <<'END'
            create table t(a integer primary key, b text, c real);
            with recursive n(i) as (select 1 union all select i + 1 from n where i < 500) insert into t select i, hex(i * 7), i / 3.0 from n;
            create index b on t(b);
            select count(*), sum(c), max(b), group_concat(a) from t where b like '3%';
            explain query plan select * from t where b between '31' and '32';
            select json_extract('{"a":[1,2]}', '$.a[1]'), printf('%08.3f', 2.5), date('2001-02-03', '+1 month');
            pragma integrity_check;
            select * from missing;
END
            rm -f t.db
            ./sqlite3 t.db < t.sql 2>&1 || true"#,
    },
];
