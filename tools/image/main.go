// Command image packs the program into an image from scratch, as the archive that `docker load`, `podman load` and `skopeo` read.
// It needs no daemon, and the same program makes the same image.
//
//	image PROGRAM ARCHIVE NAME
package main

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// user is nobody in particular: the program needs no rights.
const user = 65532

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "image PROGRAM ARCHIVE NAME")
		os.Exit(2)
	}
	if err := pack(os.Args[1], os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

func pack(program, archive, called string) error {
	tag, err := name.NewTag(called)
	if err != nil {
		return err
	}
	binary, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	files, err := layer(binary)
	if err != nil {
		return fmt.Errorf("layer: %w", err)
	}
	content, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(files)), nil })
	if err != nil {
		return fmt.Errorf("layer: %w", err)
	}
	image, err := mutate.AppendLayers(empty.Image, content)
	if err != nil {
		return err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture = "linux", runtime.GOARCH
	config.Config = v1.Config{
		Entrypoint: []string{"/welovevoucher"}, User: fmt.Sprint(user), WorkingDir: "/data",
		ExposedPorts: map[string]struct{}{"8080/tcp": {}}, Volumes: map[string]struct{}{"/data": {}},
	}
	if image, err = mutate.ConfigFile(image, config); err != nil {
		return err
	}
	return tarball.WriteToFile(archive, tag, image)
}

// layer is the tar of the image's files: the program, the folder of files while they are made, and the folder of objects for who
// has no S3. The program itself has the certificates of authorities and the time zones.
func layer(binary []byte) ([]byte, error) {
	var files bytes.Buffer
	to := tar.NewWriter(&files)
	for _, header := range []tar.Header{
		{Typeflag: tar.TypeDir, Name: "tmp/", Mode: 0o1777},
		{Typeflag: tar.TypeDir, Name: "data/", Mode: 0o755, Uid: user, Gid: user},
		{Typeflag: tar.TypeReg, Name: "welovevoucher", Mode: 0o755, Size: int64(len(binary))},
	} {
		if err := to.WriteHeader(&header); err != nil {
			return nil, err
		}
	}
	if _, err := to.Write(binary); err != nil {
		return nil, err
	}
	if err := to.Close(); err != nil {
		return nil, err
	}
	return files.Bytes(), nil
}
